/** Logger of the jobs. A pino logger satisfies it. Payloads of tasks are never logged. */
export interface JobsLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
