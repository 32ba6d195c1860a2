import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ResultStream } from '../graphql/execution/result-stream.js';
import { SseStream } from './sse-stream.js';

export const SSE_MEDIA_TYPE = 'text/event-stream';

/** Shorter than what proxies wait for a silent server, which is often 30 seconds. */
const BEAT_EVERY_MS = 15_000;
const HEADERS = {
  'content-type': SSE_MEDIA_TYPE,
  // Nothing on the way is to gather or to pack what is sent.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // It ends with its connection: one that stayed open would hold up the stop of the server.
  connection: 'close',
};

interface OpenStream {
  readonly events: SseStream;
  readonly response: ServerResponse;
}

/**
 * All event streams of a server: keeps them alive, and ends them with the server. `registerSendTimeout` ends those whose
 * client takes nothing.
 */
export class SseConnections {
  readonly #open = new Set<OpenStream>();
  #isEnding = false;

  get count(): number {
    return this.#open.size;
  }

  send(reply: FastifyReply, results: ResultStream): FastifyReply {
    const stream: OpenStream = { events: new SseStream(results), response: reply.raw };
    // A client that has gone by now says so no more: Fastify destroys the stream all the same.
    if (!reply.raw.closed) this.#keep(stream);
    if (this.#isEnding) stream.events.endForReconnect();
    return reply.headers(HEADERS).send(stream.events);
  }

  /** To be called regularly: sends a comment to every client that has taken what came before. */
  heartbeat(): void {
    for (const { events, response } of this.#open) {
      if (!response.writableNeedDrain && !response.writableEnded) events.keepAlive();
    }
  }

  /** Asks all clients to come back later, and whoever begins a stream from now on. */
  end(): void {
    this.#isEnding = true;
    for (const { events } of this.#open) events.endForReconnect();
  }

  #keep(stream: OpenStream): void {
    this.#open.add(stream);
    stream.response.once('close', () => this.#open.delete(stream));
  }
}

/** @returns what sends streams, which end when the server is told to close */
export function registerSseConnections(app: FastifyInstance): SseConnections {
  const streams = new SseConnections();
  const heartbeatTimer = setInterval(() => {
    streams.heartbeat();
  }, BEAT_EVERY_MS).unref();
  app.addHook('preClose', (done) => {
    streams.end();
    done();
  });
  app.addHook('onClose', (_, done) => {
    clearInterval(heartbeatTimer);
    done();
  });
  return streams;
}
