import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { MULTIPART_ENCODING } from '../../src/graphql/transport/multipart-encoding.js';
import { SSE_ENCODING } from '../../src/graphql/transport/sse-encoding.js';
import { registerStreamConnections } from '../../src/graphql/transport/stream-connections.js';
import { startSendTimeout, type SendTimeout } from '../../src/http/send-timeout.js';
import { readBeginning } from '../support/http/paused-client.js';
import { openRawConnection, requestHead } from '../support/http/raw-http.js';
import { waitUntil } from '../support/wait-until.js';

const TIMEOUT_MS = 500;
/** Larger than the socket buffers of the operating system. */
const BODY = 'x'.repeat(24 * 1_048_576);
const PART = 'x'.repeat(262_144);
const SOON_MS = 60_000;

let app: FastifyInstance;
let url: string;
let sendTimeout: SendTimeout;
let hasEnded: boolean;

async function* endlessResults(): AsyncGenerator<ExecutionResult, undefined> {
  try {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      yield { data: { text: PART } };
    }
  } finally {
    hasEnded = true;
  }
}

async function* endlessParts(): AsyncGenerator<string> {
  try {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      yield PART;
    }
  } finally {
    hasEnded = true;
  }
}

beforeEach(async () => {
  hasEnded = false;
  app = Fastify({ forceCloseConnections: 'idle' });
  sendTimeout = startSendTimeout(TIMEOUT_MS);
  app.server.on('connection', sendTimeout.watch);
  const streams = registerStreamConnections(app);
  app.get('/body', (_, reply) => {
    reply.raw.on('close', () => {
      hasEnded = true;
    });
    return reply.send(BODY);
  });
  app.get('/stream', (_, reply) => reply.send(Readable.from(endlessParts(), { objectMode: false })));
  app.get('/events', (_, reply) => streams.send(reply, endlessResults(), SSE_ENCODING));
  app.get('/parts', (_, reply) => streams.send(reply, endlessResults(), MULTIPART_ENCODING));
  app.get('/late', async () => {
    await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS + 2_500));
    return 'done';
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  sendTimeout.stop();
  await app.close();
});

describe('startSendTimeout', () => {
  it.each(['/stream', '/events', '/parts'])(
    'closes the connection and ends the source of %s when the client stops reading',
    async (path) => {
      const client = await readBeginning(url, `GET ${path}`);
      await waitUntil('the end', () => hasEnded, SOON_MS);
      expect((await client.resume()).endsWith('0\r\n\r\n')).toBe(false);
    },
    90_000,
  );

  it('multiplies the timeout by the buffered MiB of an ordinary response', async () => {
    const begun = performance.now();
    const client = await readBeginning(url, 'GET /body');
    await waitUntil('the end', () => hasEnded, SOON_MS);
    expect(performance.now() - begun).toBeGreaterThan(10 * TIMEOUT_MS);
    expect((await client.resume()).length).toBeLessThan(BODY.length);
  }, 90_000);

  it('keeps the connection of a client that reads slowly within the timeout', async () => {
    const client = await readBeginning(url, 'GET /stream');
    for (let reads = 0; reads < 20; reads += 1) {
      client.socket.resume();
      await new Promise((resolve) => setTimeout(resolve, 50));
      client.socket.pause();
      await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 5));
    }
    expect(hasEnded).toBe(false);
    client.socket.destroy();
    await waitUntil('the end', () => hasEnded, SOON_MS);
  }, 90_000);

  it('keeps a connection without buffered data', async () => {
    const connection = await openRawConnection(url);
    connection.send(requestHead('GET /late HTTP/1.1', 'Host: convene'));
    expect(await connection.waitForText('done')).toMatch(/^HTTP\/1\.1 200 /);
    await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS + 2_500));
    connection.send(requestHead('GET /late HTTP/1.1', 'Host: convene', 'Connection: close'));
    expect((await connection.waitForClose()).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  }, 90_000);
});
