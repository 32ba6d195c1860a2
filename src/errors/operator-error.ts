/**
 * The service cannot run as it was set up. The message tells whoever runs it what to do; clients never see it.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
