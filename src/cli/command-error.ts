/** A command cannot do what it was asked; the message says why, and what to do instead. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command has said itself what is wrong. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The command was told to stop before it was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
