import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readStreamInTurns } from '../../../src/database/connection/pool-hooks.js';

const CHUNK_BYTES = 65_536;
const PARSE_MS_PER_BYTE = 0.1 / 1_024;

let now = 5_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('readStreamInTurns', () => {
  it('passes long data on in order, at most 3 ms of parsing per event-loop iteration', async () => {
    const stream = new PassThrough({ highWaterMark: 16 * CHUNK_BYTES });
    const parsed: Buffer[] = [];
    let [workMs, maxMs] = [0, 0];
    readStreamInTurns(stream, (bytes) => {
      parsed.push(bytes);
      now += bytes.length * PARSE_MS_PER_BYTE;
      workMs += bytes.length * PARSE_MS_PER_BYTE;
      maxMs = Math.max(maxMs, workMs);
    });
    const sent = Array.from({ length: 5 }, (_, index) => Buffer.alloc(CHUNK_BYTES + index, index));
    for (const chunk of [...sent, Buffer.from('end')]) stream.write(chunk);
    while (parsed.at(-1)?.toString() !== 'end') {
      await turn();
      workMs = 0;
    }
    expect(Buffer.concat(parsed).equals(Buffer.concat([...sent, Buffer.from('end')]))).toBe(true);
    expect(maxMs).toBeLessThanOrEqual(3);
  });

  it('passes short data on immediately', () => {
    const stream = new PassThrough();
    const parsed: string[] = [];
    readStreamInTurns(stream, (bytes) => parsed.push(bytes.toString()));
    stream.emit('data', Buffer.from('a'));
    stream.emit('data', Buffer.from('b'));
    expect(parsed).toEqual(['a', 'b']);
  });
});
