/** Receives the messages of the embedded server for the operator. A pino logger is one. */
export interface ServerLogger {
  info(message: string): void;
  warn(message: string): void;
}
