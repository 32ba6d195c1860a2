/** The service's log as the jobs use it; a pino logger is one. Payloads are never logged. */
export interface JobsLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
