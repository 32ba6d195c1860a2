import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const CHECK_INTERVAL_MS = 1_000;
/** Of this size and below, everything that waits must be taken within one timeout. */
const PART_BYTES = 1_048_576;

/** What a client had taken, and since when it has taken nothing more. */
interface Progress {
  readonly takenBytes: number;
  readonly since: number;
}

/**
 * Closes connections whose client takes nothing of what is sent to it within the timeout, counted for each MiB that waits.
 * This holds for ordinary responses, for each page of a streamed list, and for each event of a stream.
 *
 * A chunk counts as taken when all of it has gone to the operating system, so that a client that takes a few bytes at a
 * time gains nothing by it. A connection on which nothing waits is never closed by this.
 *
 * @param timeoutMs a connection is closed up to a second later
 */
export function registerSendTimeout(app: FastifyInstance, timeoutMs: number): void {
  const connections = new Map<Socket, Progress>();
  // By request and not by connection: Fastify has a server of its own for each address that it listens on.
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
    connections.set(socket, { takenBytes: 0, since: performance.now() });
    socket.once('close', () => connections.delete(socket));
  }

  function check(socket: Socket, { takenBytes, since }: Progress): void {
    const now = performance.now();
    const waitingBytes = socket.writableLength;
    const nowTakenBytes = socket.bytesWritten - waitingBytes;
    const hasTaken = waitingBytes === 0 || nowTakenBytes !== takenBytes;
    if (hasTaken) connections.set(socket, { takenBytes: nowTakenBytes, since: now });
    else if (now - since > timeoutMs * Math.ceil(waitingBytes / PART_BYTES)) socket.destroy();
  }
}
