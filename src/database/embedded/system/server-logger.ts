/** Hears in plain sentences what the embedded server does that its operator should know; any pino logger will do. */
export interface ServerLogger {
  info(message: string): void;
  warn(message: string): void;
}
