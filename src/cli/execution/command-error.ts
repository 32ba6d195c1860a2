/** A command failed; the message states the cause and the remedy, and is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A command failed and has printed the cause itself. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailed';
}

/** A signal stopped the command. */
export class InterruptedError extends Error {
  override readonly name = 'Interrupted';
}
