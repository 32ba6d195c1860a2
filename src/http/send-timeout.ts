import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const CHECK_INTERVAL_MS = 1_000;
/** The client must read each such part of the buffered data within one timeout. */
const PART_BYTES = 1_048_576;

interface Progress {
  /** Bytes that the operating system had accepted. */
  readonly sentBytes: number;
  /** Time of the last progress, in ms of `performance.now()`. */
  readonly since: number;
}

/**
 * Closes connections whose client reads nothing within the timeout, which is multiplied by the MiB that are buffered.
 * Applies to ordinary responses, to each page of a streamed list, and to each event of an SSE stream.
 *
 * A chunk counts as read when the operating system has accepted all of it, so reading a few bytes at a time does not
 * extend the timeout. A connection without buffered data is never closed.
 *
 * @param timeoutMs a connection is closed up to 1 s later
 */
export function registerSendTimeout(app: FastifyInstance, timeoutMs: number): void {
  const connections = new Map<Socket, Progress>();
  // A hook of requests, not of connections, because Fastify creates a server for each address that it listens on.
  app.addHook('onRequest', ({ raw: { socket } }, _, done) => {
    if (!connections.has(socket)) watch(socket);
    done();
  });
  const timer = setInterval(() => {
    for (const [socket, progress] of connections) check(socket, progress);
  }, CHECK_INTERVAL_MS).unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });

  function watch(socket: Socket): void {
    connections.set(socket, { sentBytes: 0, since: performance.now() });
    socket.once('close', () => connections.delete(socket));
  }

  function check(socket: Socket, { sentBytes, since }: Progress): void {
    const now = performance.now();
    const bufferedBytes = socket.writableLength;
    const nowSentBytes = socket.bytesWritten - bufferedBytes;
    const hasProgressed = bufferedBytes === 0 || nowSentBytes !== sentBytes;
    if (hasProgressed) connections.set(socket, { sentBytes: nowSentBytes, since: now });
    else if (now - since > timeoutMs * Math.ceil(bufferedBytes / PART_BYTES)) socket.destroy();
  }
}
