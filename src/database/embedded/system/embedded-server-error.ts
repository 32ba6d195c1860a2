/** The embedded server cannot be used. The message states the cause and the remedy. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}
