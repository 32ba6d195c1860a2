/** The embedded server cannot be used; the message says why and what to do about it. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}
