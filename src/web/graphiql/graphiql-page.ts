import { isRecord } from '../is-record.js';
import { requireElement } from '../require-element.js';
import { createTemporaryStore } from '../session/session-store.js';
import { Session } from '../session/session.js';
import { showAccount, startAccountControls } from './account-controls.js';
import { createAuthorizedFetch } from './authorized-fetch.js';
import { configureEditors, openTab } from './editors.js';
import { EXAMPLE_GROUPS, WELCOME } from './example-operations.js';
import { startExamplesMenu } from './examples-menu.js';
import type { ExampleOperation } from './examples/example-operation.js';
import { fillPlaceholders, hasOwnPlaceholders } from './fill-placeholders.js';
import { createMemoryStorage, removeStoredEntries } from './memory-storage.js';
import { readOwnIds } from './own-ids.js';

interface PageOptions {
  readonly endpoint: string;
  /** URL of the script of GraphiQL. */
  readonly script: string;
  /** URL of each web worker, by the label under which the editor asks for it. */
  readonly workers: Readonly<Record<string, string>>;
}

interface MonacoEnvironment {
  readonly globalAPI: boolean;
  readonly getWorkerUrl: (module: string, label: string) => string | undefined;
}

declare global {
  interface Window {
    MonacoEnvironment?: MonacoEnvironment;
  }
}

/** Defined by the script of `@graphql-yoga/render-graphiql`. */
declare const YogaGraphiQL: { renderYogaGraphiQL(root: HTMLElement, options: object): void };

const root = requireElement('#root', HTMLElement);
const { workers, script, ...options } = readOptions(root);
const session = new Session(options.endpoint, createTemporaryStore());

// GraphiQL sends every request by this function: those of all tabs, and its own that read the schema.
globalThis.fetch = createAuthorizedFetch(session, fetch.bind(globalThis));
// `editors.ts` uses the global API of the editor, which is set while its script is loaded.
self.MonacoEnvironment = { globalAPI: true, getWorkerUrl: (_module, label) => workers[label] };
removeStoredEntries(localStorage);
await loadScript(script);
configureEditors();
// The style sheet has fonts. Tabs that change their width after the first rendering move away from under the first
// click, which is then lost.
await Promise.allSettled([...document.fonts].map((font) => font.load()));
YogaGraphiQL.renderYogaGraphiQL(root, {
  ...options,
  // By default, subscriptions go by GET, whose URL has the variables.
  method: 'POST',
  storage: createMemoryStorage(),
  defaultTabs: [{ query: WELCOME.query }],
  // Replaces the handler that writes each keystroke into the page's URL. A reload would send that URL, with a password
  // typed into a mutation, to the server and into logs.
  onEditQuery() {},
});
startExamplesMenu(EXAMPLE_GROUPS, (example) => void openExample(example));
session.onChange(() => void showUser());
startAccountControls(session, () => {
  openTab(toTab(findExample('Register')));
});
addEventListener('pagehide', ({ persisted }) => {
  // A page that the browser keeps for its back button stays logged in.
  if (!persisted) session.endWithPage();
});

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.addEventListener('load', () => {
      resolve();
    });
    element.addEventListener('error', () => {
      reject(new Error(`Could not load ${src}`));
    });
    element.src = src;
    document.head.append(element);
  });
}

function readOptions(element: HTMLElement): PageOptions {
  const value: unknown = JSON.parse(element.dataset.options ?? '');
  if (isPageOptions(value)) return value;
  throw new Error('Page has no options');
}

function isPageOptions(value: unknown): value is PageOptions {
  return isRecord(value) && 'workers' in value && 'endpoint' in value && 'script' in value;
}

async function showUser(): Promise<void> {
  showAccount(session, null);
  const ids = await readOwnIds(options.endpoint, session);
  if (ids !== null) showAccount(session, ids.username);
}

/** Opens an example with the ids of the user who is logged in, and with its placeholders if they cannot be read. */
async function openExample(example: ExampleOperation): Promise<void> {
  const { query, variables } = toTab(example);
  const ids = hasOwnPlaceholders(variables) ? await readOwnIds(options.endpoint, session) : null;
  openTab({ query, variables: ids === null ? variables : fillPlaceholders(variables, ids) });
}

function toTab({ query, variables }: ExampleOperation) {
  return { query, variables: variables === undefined ? '' : JSON.stringify(variables, null, 2) };
}

function findExample(name: string): ExampleOperation {
  const examples = EXAMPLE_GROUPS.flatMap(({ operations }) => operations);
  const example = examples.find(({ query }) => query.includes(` ${name}(`));
  if (example === undefined) throw new Error(`Page has no example ${name}`);
  return example;
}
