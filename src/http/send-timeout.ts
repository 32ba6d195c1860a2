import type { Socket } from 'node:net';

const CHECK_INTERVAL_MS = 1_000;
/** The client must read each such part of the buffered data within one timeout. */
const PART_BYTES = 1_048_576;

interface Progress {
  /** Bytes that the operating system had accepted. */
  readonly sentBytes: number;
  /** Time of the last progress, in ms of `performance.now()`. */
  readonly since: number;
}

export interface SendTimeout {
  /** To be called with each connection. */
  readonly watch: (socket: Socket) => void;
  readonly stop: () => void;
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
export function startSendTimeout(timeoutMs: number): SendTimeout {
  const connections = new Map<Socket, Progress>();
  const timer = setInterval(() => {
    for (const [socket, progress] of connections) check(socket, progress);
  }, CHECK_INTERVAL_MS).unref();
  return {
    watch,
    stop: () => {
      clearInterval(timer);
    },
  };

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
