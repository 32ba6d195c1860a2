import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ResultStream } from '../execution/result-stream.js';
import { ResponseStream } from './response-stream.js';
import type { StreamEncoding } from './stream-encoding.js';

/** Shorter than the idle timeout of proxies, which is often 30 s. */
const HEARTBEAT_INTERVAL_MS = 15_000;
const HEADERS = {
  // Keeps proxies from buffering and compressing the results.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // An idle connection that stayed open would delay the stop of the server.
  connection: 'close',
};

interface OpenStream {
  readonly results: ResponseStream;
  readonly response: ServerResponse;
}

/**
 * Registry of the open streams of a server: sends heartbeats, and ends the streams when the server stops.
 * `startSendTimeout` closes the connections of clients that read nothing.
 */
export class StreamConnections {
  readonly #open = new Set<OpenStream>();
  #isDraining = false;

  get count(): number {
    return this.#open.size;
  }

  send(reply: FastifyReply, results: ResultStream, encoding: StreamEncoding): FastifyReply {
    const stream: OpenStream = {
      results: new ResponseStream(results, encoding, reply.request.id),
      response: reply.raw,
    };
    // A response that is closed already emits no `close`. Fastify destroys its stream.
    if (!reply.raw.closed) this.#add(stream);
    if (this.#isDraining) stream.results.endForReconnect();
    return reply.headers({ ...HEADERS, 'content-type': encoding.contentType }).send(stream.results);
  }

  /** Sends a heartbeat to every client that has read all previous results. To be called at regular intervals. */
  heartbeat(): void {
    for (const { results, response } of this.#open) {
      if (!response.writableNeedDrain && !response.writableEnded) results.keepAlive();
    }
  }

  /** Ends all streams, and those that begin later, with a hint to reconnect. */
  drain(): void {
    this.#isDraining = true;
    for (const { results } of this.#open) results.endForReconnect();
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream);
    stream.response.once('close', () => this.#open.delete(stream));
  }
}

/** Creates the registry of a server. Its streams end when the server begins to close. */
export function registerStreamConnections(app: FastifyInstance): StreamConnections {
  const streams = new StreamConnections();
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
