import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { requestHead } from './raw-http.js';

/** A client that sends one request, reads the beginning of the response, and pauses. */
export interface PausedClient {
  /** The text received so far. */
  received(): string;
  /** Resumes reading until the other side closes, and returns everything received. */
  resume(): Promise<string>;
  readonly socket: Socket;
}

export async function readBeginning(
  url: string,
  requestLine: string,
  ...headers: readonly string[]
): Promise<PausedClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(requestHead(`${requestLine} HTTP/1.1`, 'Host: convene', 'Connection: close', ...headers));
  await once(socket, 'data');
  socket.pause();
  const received = (): string => Buffer.concat(chunks).toString();
  return {
    socket,
    received,
    resume: async () => {
      const closed = once(socket, 'close');
      socket.resume();
      await closed;
      return received();
    },
  };
}
