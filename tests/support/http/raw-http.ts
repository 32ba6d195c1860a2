import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that can send any bytes, unlike an HTTP library. */
export interface RawConnection {
  send(text: string | Uint8Array): void;
  /** Everything received until the other side closes. */
  waitForClose(): Promise<string>;
  /** Everything received so far, as soon as it contains `text`. */
  waitForText(text: string): Promise<string>;
  close(): void;
}

export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  // A reset is one way to close. Data received before it counts.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const text = (): string => Buffer.concat(received).toString();
  return {
    send: (message) => {
      socket.write(message);
    },
    waitForClose: async () => {
      await closed;
      return text();
    },
    waitForText: async (wanted) => {
      while (!text().includes(wanted)) await nextChunk(socket, wanted, text);
      return text();
    },
    close: () => {
      socket.destroy();
    },
  };
}

/** Sends one request and returns the raw response after the other side has closed. */
export async function sendRawRequest(url: string, request: string | Uint8Array): Promise<string> {
  const connection = await openRawConnection(url);
  connection.send(request);
  return connection.waitForClose();
}

/** Joins header lines into the head of a request. */
export function requestHead(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

async function nextChunk(socket: Socket, wanted: string, text: () => string): Promise<void> {
  if (socket.destroyed) throw new Error(`closed before "${wanted}" came, after: ${text()}`);
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
}
