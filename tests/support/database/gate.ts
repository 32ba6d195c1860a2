import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a database server that can be shut, or made to swallow everything. */
export interface Gate {
  /** The same database, through the gate. */
  readonly url: string;
  open(): Promise<void>;
  /** Ends every connection and takes no more. */
  shut(): Promise<void>;
  /** From now on nothing comes through in either direction, and no end is heard of. */
  swallow(): void;
  pass(): void;
}

export async function openGate(databaseUrl: string): Promise<Gate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let swallows = false;
  let server: Server;
  let port = 0;

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (data) => {
      if (!swallows) to.write(data);
    });
    from.on('end', () => {
      if (!swallows) to.end();
    });
    from.on('close', () => {
      sockets.delete(from);
      if (!swallows) to.destroy();
    });
  }

  async function open(): Promise<void> {
    // Whoever ends its half of a connection hears nothing either while everything is swallowed.
    server = createServer({ allowHalfOpen: true }, (client) => {
      const upstream = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
      join(client, upstream);
      join(upstream, client);
    });
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    ({ port } = server.address() as AddressInfo);
  }

  await open();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    open,
    shut: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    swallow: () => {
      swallows = true;
    },
    pass: () => {
      swallows = false;
    },
  };
}
