import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';

export interface TlsTerminator {
  readonly port: number;
  stop(): Promise<void>;
}

/** Accepts TLS connections, and forwards their content to a server without TLS. */
export async function startTlsTerminator(
  { key, cert }: { readonly key: string; readonly cert: string },
  target: URL,
): Promise<TlsTerminator> {
  const sockets = new Set<Socket>();
  const server = createServer({ key, cert }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(upstream).pipe(client);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
