import { OperationError } from '../api/operation-error.js';
import { requireElement } from '../require-element.js';

const UNREACHABLE = 'The service could not be reached. Please try again in a moment.';
const outcome = requireElement('#outcome', HTMLElement);

/** Shows the sentence as text, never as HTML. The kind is the CSS class of the sentence. */
export function showOutcome(kind: '' | 'success' | 'problem', sentence: string): void {
  outcome.className = kind;
  outcome.textContent = sentence;
}

export function showProgress(): void {
  showOutcome('', 'One moment…');
}

export interface ErrorOptions {
  /** Appended to what the service says, and not to a failure to reach it. */
  readonly hint?: string;
  /** The form whose labels name the fields that the service rejects. */
  readonly form?: HTMLFormElement;
}

export function showError(error: unknown, options: ErrorOptions = {}): void {
  showOutcome('problem', error instanceof OperationError ? describeError(error, options) : UNREACHABLE);
}

/** Runs `work` with the buttons disabled, shows its error if it fails, and moves the focus to the outcome. */
export async function runWithOutcome(
  buttons: readonly HTMLButtonElement[],
  work: () => Promise<void>,
  options: ErrorOptions = {},
): Promise<void> {
  for (const button of buttons) button.disabled = true;
  showProgress();
  try {
    await work();
  } catch (error) {
    showError(error, options);
  }
  for (const button of buttons) button.disabled = false;
  outcome.focus();
}

function describeError({ message, fields }: OperationError, { hint = '', form }: ErrorOptions): string {
  // The visitor typed every field but the secret.
  const typed = fields.filter(({ field }) => field !== 'secret');
  return [message, ...typed.map((each) => `${labelOf(each.field, form)} ${each.message}.`)].join(' ') + hint;
}

function labelOf(field: string, form: HTMLFormElement | undefined): string {
  const input = form?.elements.namedItem(field);
  return (input instanceof HTMLInputElement && input.labels?.[0]?.textContent) || 'It';
}
