import { pino, type Logger } from 'pino';

export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly msg: string;
}

export const WARN = 40;
export const ERROR = 50;

/** Creates a logger that captures its lines. */
export function createCapturingLogger(): { readonly log: Logger; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { log: pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line) as LogLine) }), lines };
}
