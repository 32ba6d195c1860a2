import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a service and its database, so that the database can go away for that service alone. */
export interface DatabaseProxy {
  /** The address of the database by way of the proxy. */
  readonly url: string;
  /** Ends every connection and takes no more. */
  cut(): void;
  /** As `cut`, once the service has sent `text` so often from now on: the last of them does not arrive. */
  cutAt(text: string, times: number): void;
  heal(): void;
  stop(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let fuse: { readonly text: string; left: number } | null = null;

  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  /** @returns whether the proxy has just been cut */
  const burns = (chunk: Buffer): boolean => {
    if (fuse === null || !chunk.includes(fuse.text)) return false;
    fuse.left -= 1;
    if (fuse.left > 0) return false;
    cut();
    return true;
  };
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const database = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (!burns(chunk)) database.write(chunk);
    });
    database.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(databaseUrl);
  const address = server.address();
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: url.href,
    cut,
    cutAt: (text, left) => {
      fuse = { text, left };
    },
    heal: () => {
      isCut = false;
      fuse = null;
    },
    stop: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
