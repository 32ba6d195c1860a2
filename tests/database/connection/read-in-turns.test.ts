import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readStreamInTurns } from '../../../src/database/connection/read-in-turns.js';

const CHUNK_BYTES = 65_536;
const PARSE_MS_PER_BYTE = 0.1 / 1_024;

let now = 5_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('what the database sends', () => {
  it('is parsed in its order, a few milliseconds at most between two turns of the event loop', async () => {
    const stream = new PassThrough({ highWaterMark: 16 * CHUNK_BYTES });
    const taken: Buffer[] = [];
    let [workMs, mostMs] = [0, 0];
    readStreamInTurns(stream, (bytes) => {
      taken.push(bytes);
      now += bytes.length * PARSE_MS_PER_BYTE;
      workMs += bytes.length * PARSE_MS_PER_BYTE;
      mostMs = Math.max(mostMs, workMs);
    });
    const sent = Array.from({ length: 5 }, (_, index) => Buffer.alloc(CHUNK_BYTES + index, index));
    for (const chunk of [...sent, Buffer.from('end')]) stream.write(chunk);
    while (taken.at(-1)?.toString() !== 'end') {
      await turn();
      workMs = 0;
    }
    expect(Buffer.concat(taken).equals(Buffer.concat([...sent, Buffer.from('end')]))).toBe(true);
    expect(mostMs).toBeLessThanOrEqual(3);
  });

  it('is parsed at once when it is short', () => {
    const stream = new PassThrough();
    const taken: string[] = [];
    readStreamInTurns(stream, (bytes) => taken.push(bytes.toString()));
    stream.emit('data', Buffer.from('a'));
    stream.emit('data', Buffer.from('b'));
    expect(taken).toEqual(['a', 'b']);
  });
});
