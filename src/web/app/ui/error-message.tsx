import { OperationError } from '../../api/operation-error.js';
import { LoggedOutError } from '../../session/session.js';

const UNREACHABLE = 'The service could not be reached. Please try again in a moment.';

interface ErrorMessageProps {
  /** Nothing is shown for null. */
  readonly error: unknown;
}

/** Says why something failed, and announces it to screen readers. */
export function ErrorMessage({ error }: ErrorMessageProps) {
  return (
    <p role="alert" class="problem">
      {sentenceOf(error)}
    </p>
  );
}

/** After the end of the session, the page to log in says so. */
function sentenceOf(error: unknown): string {
  if (error === null || error instanceof LoggedOutError) return '';
  if (!(error instanceof OperationError)) return UNREACHABLE;
  return [error.message, ...error.fields.map(({ field, message }) => `${field} ${message}.`)].join(' ');
}
