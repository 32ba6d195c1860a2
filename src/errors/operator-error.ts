/** The service cannot run with its set-up. The message states the remedy for the operator. Never sent to a client. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
