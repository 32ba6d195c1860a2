/** A task failed for a reason that no retry changes, such as a recipient that does not exist. */
export class PermanentError extends Error {
  override readonly name: string = 'PermanentError';
}
