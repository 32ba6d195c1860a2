import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { createJsonLogger } from '../../../src/output/logger.js';

/** The service's own log at level `trace`, with every byte that it writes. */
export interface RawLog {
  readonly log: Logger;
  readonly text: () => string;
  /** The number of writes. */
  readonly writes: () => number;
}

export function rawLog(): RawLog {
  const chunks: Buffer[] = [];
  const to = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return {
    log: createJsonLogger('trace', to),
    text: () => Buffer.concat(chunks).toString(),
    writes: () => chunks.length,
  };
}

export type LoggedEvent = Readonly<Record<string, unknown>>;

/** @throws SyntaxError when a line is not JSON */
export function eventsIn(text: string): LoggedEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoggedEvent);
}
