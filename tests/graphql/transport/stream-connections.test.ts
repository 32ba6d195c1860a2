import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { ResultStream } from '../../../src/graphql/execution/result-stream.js';
import { MULTIPART_ENCODING } from '../../../src/graphql/transport/multipart-encoding.js';
import { SSE_ENCODING } from '../../../src/graphql/transport/sse-encoding.js';
import {
  registerStreamConnections,
  type StreamConnections,
} from '../../../src/graphql/transport/stream-connections.js';
import type { StreamEncoding } from '../../../src/graphql/transport/stream-encoding.js';
import { firstResult, STREAM_FORMATS } from '../../support/http/stream-formats.js';
import { waitUntil } from '../../support/wait-until.js';

const ENCODINGS = { events: SSE_ENCODING, parts: MULTIPART_ENCODING };
const LARGE = 'x'.repeat(65_536);

/** Returns a result for each request, or none until the end. */
class Source implements ResultStream {
  asked = 0;
  /** The value of `asked` at the last call of `hasSettled`. */
  seen = 0;
  hasEnded = false;
  readonly #value: string | null;
  #end: () => void = () => undefined;

  constructor(value: string | null) {
    this.#value = value;
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.asked += 1;
    if (this.#value === null)
      await new Promise<void>((resolve) => {
        this.#end = resolve;
      });
    else await new Promise((resolve) => setImmediate(resolve));
    return this.hasEnded ? { done: true, value: undefined } : { done: false, value: { data: { text: this.#value } } };
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.hasEnded = true;
    this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

let app: FastifyInstance;
let streams: StreamConnections;
let encoding: StreamEncoding;
let source: Source;
let gate: Promise<void>;
let isReached: boolean;
let isClosing: boolean;

beforeEach(async () => {
  app = Fastify();
  streams = registerStreamConnections(app);
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  source = new Source(null);
  gate = Promise.resolve();
  isReached = false;
  isClosing = false;
  app.get('/', async (_, reply) => {
    isReached = true;
    await gate;
    return streams.send(reply, source, encoding);
  });
  await app.listen({ port: 0 });
});
afterEach(() => app.close());

/** Asks by HTTP/1.0, whose responses are not chunked. */
async function ask(): Promise<Socket> {
  const [{ port }] = app.addresses() as [AddressInfo];
  const socket = connect(port, 'localhost');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.0\r\nhost: localhost\r\n\r\n');
  return socket;
}

/** @returns true when a result was requested, and none since the last call */
function hasSettled(asked: Source): boolean {
  const isSettled = asked.asked > 0 && asked.asked === asked.seen;
  asked.seen = asked.asked;
  if (asked.asked > 1_000) throw new Error('results are requested without end');
  return isSettled;
}

function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4);
}

/** Expects a response with no result of the operation. */
function expectInterruption(body: string): void {
  if (encoding === SSE_ENCODING) {
    expect(body).toMatch(/^(retry: \d{4}\n\n){2}$/);
    return;
  }
  expect(body).toMatch(STREAM_FORMATS.parts.ending);
  expect(firstResult(STREAM_FORMATS.parts, body)).toEqual({
    errors: [
      {
        message: 'The service is shutting down; please try again shortly.',
        extensions: {
          code: 'UNAVAILABLE',
          reason: 'SHUTTING_DOWN',
          retryAfterSeconds: expect.any(Number),
          requestId: expect.any(String),
        },
      },
    ],
  });
}

describe.each(['events', 'parts'] as const)('StreamConnections with %s', (name) => {
  const format = STREAM_FORMATS[name];
  beforeEach(() => {
    encoding = ENCODINGS[name];
  });

  it('sends a message without a result with each heartbeat while there is no result', async () => {
    const socket = await ask();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await waitUntil('the opening', () => format.opening.test(bodyOf(text)));
    streams.heartbeat();
    await waitUntil('the first heartbeat', () => text.endsWith(format.heartbeat));
    streams.heartbeat();
    await waitUntil('the second heartbeat', () => text.endsWith(format.heartbeat.repeat(2)));
    socket.destroy();
    await waitUntil('the end of the operation', () => source.hasEnded);
  });

  it('requests no more results than the client reads', async () => {
    source = new Source(LARGE);
    const socket = await ask();
    socket.pause();
    await waitUntil('the last request', () => hasSettled(source));
    expect(source.asked).toBeLessThan(1_000);
    streams.heartbeat();
    streams.heartbeat();
    expect(source.hasEnded).toBe(false);
    socket.destroy();
    await waitUntil('the end of the operation', () => source.hasEnded && streams.count === 0);
  });

  it('keeps the stream of a client that reads', async () => {
    source = new Source(LARGE);
    const socket = await ask();
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    for (let megabytes = 1; megabytes <= 20; megabytes += 1) {
      await waitUntil('another megabyte', () => bytes > megabytes * 1_048_576);
      streams.heartbeat();
    }
    expect(source.hasEnded).toBe(false);
    socket.destroy();
    await waitUntil('the end of the operation', () => source.hasEnded && streams.count === 0);
  });

  it('registers no stream when the client disconnects before it starts', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const socket = await ask();
    await waitUntil('the request', () => isReached);
    socket.destroy();
    await waitUntil(
      'the server to close the connection',
      async () =>
        (await new Promise<number>((resolve) => {
          app.server.getConnections((_, count) => {
            resolve(count);
          });
        })) === 0,
    );
    open();
    await waitUntil('the end of the operation', () => source.hasEnded);
    expect(streams.count).toBe(0);
  });

  it('ends streams immediately and asks the client to reconnect when the server closes', async () => {
    const socket = await ask();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await waitUntil('the opening', () => format.opening.test(bodyOf(text)));
    const closed = once(socket, 'close');
    await app.close();
    await closed;
    expectInterruption(bodyOf(text));
    expect(source.hasEnded).toBe(true);
  });

  it('ends a stream that starts while the server closes', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const socket = await ask();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await waitUntil('the request', () => isReached);
    const closed = once(socket, 'close');
    const closing = app.close();
    await waitUntil('the server to begin closing', () => isClosing);
    open();
    await Promise.all([closing, closed]);
    expectInterruption(bodyOf(text));
    expect(source.hasEnded).toBe(true);
  });
});
