import type { Socket } from 'node:net';
import type pg from 'pg';

/** The socket's timer expires so often within the limit. A blocked event loop lets it expire once too early. */
const PERIODS = 2;

/**
 * Ends a connection whose server sends nothing for so long while a statement is pending.
 *
 * Reason: a network that drops all packets reports no error, and the query timeout of pg 8.23 keeps the connection.
 */
export function limitSilence(client: pg.Client, limitMs: number): void {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a TLS socket is a socket too
  const socket = client.connection.stream as Socket;
  const periodMs = limitMs / PERIODS;
  let bytesRead = socket.bytesRead;
  let silentPeriods = 0;
  const endPeriod = (): void => {
    if (socket.bytesRead !== bytesRead) silentPeriods = 0;
    bytesRead = socket.bytesRead;
    const isAwaited = client.readyForQuery === false && !socket.isPaused();
    silentPeriods = isAwaited ? silentPeriods + 1 : 0;
    if (silentPeriods === PERIODS) socket.destroy(new SilentServerError(limitMs));
    else socket.setTimeout(periodMs);
  };
  // Node restarts the timer with each read and write, but not after it has expired.
  socket.on('timeout', endPeriod);
  socket.setTimeout(periodMs);
}

/** The server has not answered in time. It may have executed the statement. */
class SilentServerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`The database server has sent nothing for ${limitMs / 1_000} s`);
    this.name = 'SilentServerError';
  }
}
