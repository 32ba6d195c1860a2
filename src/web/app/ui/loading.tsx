import { ErrorMessage } from './error-message.js';

interface LoadingProps {
  /** Why the data could not be read; null while it is on its way. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Stands in the place of data that is not there yet. */
export function Loading({ error, onRetry }: LoadingProps) {
  if (error === null) return <p class="quiet">One moment…</p>;
  return (
    <>
      <ErrorMessage error={error} />
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}
