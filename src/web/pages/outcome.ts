import { requireElement } from './require-element.js';
import { OperationError } from './send-operation.js';

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

/** @param hint appended to what the service says, and not to a failure to reach it */
export function showError(error: unknown, hint = ''): void {
  showOutcome('problem', error instanceof OperationError ? error.message + hint : UNREACHABLE);
}

/** Runs `work` with the buttons disabled, shows its error if it fails, and moves the focus to the outcome. */
export async function runWithOutcome(buttons: readonly HTMLButtonElement[], work: () => Promise<void>): Promise<void> {
  for (const button of buttons) button.disabled = true;
  showProgress();
  try {
    await work();
  } catch (error) {
    showError(error);
  }
  for (const button of buttons) button.disabled = false;
  outcome.focus();
}
