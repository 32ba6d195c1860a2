import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ResultStream } from '../execution/result-stream.js';
import { SseStream } from './sse-stream.js';

export const SSE_MEDIA_TYPE = 'text/event-stream';

/** Shorter than the idle timeout of proxies, which is often 30 s. */
const HEARTBEAT_INTERVAL_MS = 15_000;
const HEADERS = {
  'content-type': SSE_MEDIA_TYPE,
  // Keeps proxies from buffering and compressing the events.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // An idle connection that stayed open would delay the stop of the server.
  connection: 'close',
};

interface OpenStream {
  readonly events: SseStream;
  readonly response: ServerResponse;
}

/**
 * Registry of the open SSE streams of a server: sends heartbeats, and ends the streams when the server stops.
 * `registerSendTimeout` closes the connections of clients that read nothing.
 */
export class SseConnections {
  readonly #open = new Set<OpenStream>();
  #isDraining = false;

  get count(): number {
    return this.#open.size;
  }

  send(reply: FastifyReply, results: ResultStream): FastifyReply {
    const stream: OpenStream = { events: new SseStream(results), response: reply.raw };
    // A response that is closed already emits no `close`. Fastify destroys its stream.
    if (!reply.raw.closed) this.#add(stream);
    if (this.#isDraining) stream.events.endForReconnect();
    return reply.headers(HEADERS).send(stream.events);
  }

  /** Sends a comment to every client that has read all previous events. To be called at regular intervals. */
  heartbeat(): void {
    for (const { events, response } of this.#open) {
      if (!response.writableNeedDrain && !response.writableEnded) events.keepAlive();
    }
  }

  /** Ends all streams, and those that begin later, with a hint to reconnect. */
  drain(): void {
    this.#isDraining = true;
    for (const { events } of this.#open) events.endForReconnect();
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream);
    stream.response.once('close', () => this.#open.delete(stream));
  }
}

/** Creates the registry of a server. Its streams end when the server begins to close. */
export function registerSseConnections(app: FastifyInstance): SseConnections {
  const streams = new SseConnections();
  const heartbeatTimer = setInterval(() => {
    streams.heartbeat();
  }, HEARTBEAT_INTERVAL_MS).unref();
  app.addHook('preClose', (done) => {
    streams.drain();
    done();
  });
  app.addHook('onClose', (_, done) => {
    clearInterval(heartbeatTimer);
    done();
  });
  return streams;
}
