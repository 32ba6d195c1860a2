import { requireElement } from '../require-element.js';
import type { ExampleGroup } from './example-operations.js';
import type { ExampleOperation } from './examples/example-operation.js';

/** Kind and name of the first operation of a document. */
const OPERATION = /^(query|mutation|subscription) (\w+)/m;
const COMMENT_LINE = /^# ?(.*)$/;

const dialog = requireElement('#examples', HTMLDialogElement);
const filter = requireElement('#find-example', HTMLInputElement, dialog);
const list = requireElement('#example-list', HTMLElement, dialog);

/**
 * Fills the dialog of examples: a list for each group, which the text field filters by name and description.
 *
 * @param open called with the chosen example, after the dialog is closed
 */
export function startExamplesMenu(groups: readonly ExampleGroup[], open: (example: ExampleOperation) => void): void {
  const choose = (example: ExampleOperation) => {
    dialog.close();
    open(example);
  };
  list.replaceChildren(...groups.map((group) => createGroup(group, choose)));
  requireElement('#open-examples', HTMLButtonElement).addEventListener('click', () => {
    dialog.showModal();
  });
  requireElement('.close', HTMLButtonElement, dialog).addEventListener('click', () => {
    dialog.close();
  });
  filter.addEventListener('input', applyFilter);
}

function createGroup(group: ExampleGroup, choose: (example: ExampleOperation) => void): HTMLElement {
  const section = document.createElement('section');
  const title = document.createElement('h3');
  title.textContent = group.title;
  const items = document.createElement('ul');
  items.append(...group.operations.map((example) => createItem(example, choose)));
  section.append(title, items);
  return section;
}

function createItem(example: ExampleOperation, choose: (example: ExampleOperation) => void): HTMLLIElement {
  const [, kind = '', name = ''] = OPERATION.exec(example.query) ?? [];
  const button = document.createElement('button');
  button.type = 'button';
  button.append(textElement('strong', name), textElement('span', kind), textElement('small', descriptionOf(example)));
  button.addEventListener('click', () => {
    choose(example);
  });
  const item = document.createElement('li');
  item.append(button);
  return item;
}

function textElement(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/** The comment at the beginning of the document, as one line. */
function descriptionOf({ query }: ExampleOperation): string {
  const lines = query.split('\n').map((line) => COMMENT_LINE.exec(line)?.[1]);
  return lines.slice(0, lines.indexOf(undefined)).join(' ');
}

function applyFilter(): void {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const section of list.querySelectorAll('section')) {
    const items = [...section.querySelectorAll('li')];
    for (const item of items) item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
    section.hidden = items.every((item) => item.hidden);
  }
}
