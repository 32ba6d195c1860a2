import { requireElement } from '../require-element.js';
import { enablePasswordButtons } from './enable-password-buttons.js';
import { forgetLinkSecret, INCOMPLETE_LINK, readLinkSecret } from './link-secret.js';
import { runWithOutcome, showOutcome } from './outcome.js';

interface Submission {
  readonly endpoint: string;
  readonly form: HTMLFormElement;
  /** Empty in the form for visitors without a link. */
  readonly secret: string;
}

type Submit = (submission: Submission) => Promise<unknown>;

export interface MailedLinkForms {
  /** Sends the form of visitors who follow a mailed link. */
  readonly withSecret: Submit;
  /** Sends the form of visitors without a link, on pages that have one. */
  readonly withoutSecret?: Submit;
}

interface Section {
  readonly element: HTMLElement;
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
}

const next = requireElement('#next', HTMLElement);

/**
 * Runs a page behind a mailed link: one form sends the secret, an optional one is for visitors without a secret.
 *
 * The secret stays in the address bar until it is used up, so that the page can be reloaded after a failure.
 */
export function startMailedLinkScript({ withSecret, withoutSecret }: MailedLinkForms): void {
  const linked = findSection('#before');
  submitWith(linked, withSecret, readLinkSecret);
  const unlinked = withoutSecret === undefined ? null : findSection('#without-secret');
  if (withoutSecret !== undefined && unlinked !== null) {
    submitWith(unlinked, withoutSecret, () => '');
    unlinked.button.disabled = false;
  }
  const readLink = () => {
    applyLink(linked, unlinked);
  };
  enablePasswordButtons();
  addEventListener('hashchange', readLink);
  readLink();
}

function findSection(selector: string): Section {
  const element = requireElement(selector, HTMLElement);
  return {
    element,
    form: requireElement('form', HTMLFormElement, element),
    button: requireElement('button[type=submit]', HTMLButtonElement, element),
  };
}

function submitWith({ element, form, button }: Section, submit: Submit, readSecret: () => string): void {
  const { endpoint = '', done = '' } = form.dataset;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const work = async () => {
      const secret = readSecret();
      await submit({ endpoint, form, secret });
      forgetLinkSecret();
      element.hidden = true;
      showOutcome('success', done);
      // A visitor who has asked for a link waits for it.
      next.hidden = secret === '';
    };
    void runWithOutcome([button], work, { form });
  });
}

function applyLink(linked: Section, unlinked: Section | null): void {
  const complete = readLinkSecret() !== '';
  linked.button.disabled = !complete;
  if (unlinked !== null) {
    linked.element.hidden = !complete;
    unlinked.element.hidden = complete;
  }
  if (complete || unlinked !== null) showOutcome('', '');
  else showOutcome('problem', INCOMPLETE_LINK);
}
