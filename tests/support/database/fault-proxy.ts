import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy in front of a database, which simulates its failures for one client. */
export interface FaultProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Closes every connection, and every new one immediately. */
  disconnect(): void;
  /** Disconnects when the client has sent `text` the given number of times. The last of them is not forwarded. */
  disconnectAt(text: string, times: number): void;
  /** Drops all data in both directions, including the end of a connection. */
  blackhole(): void;
  /** Forwards each piece of data after a delay, in both directions. */
  slowDown(delayMs: number): void;
  /** Forwards connections again. */
  restore(): void;
  stop(): Promise<void>;
}

type State = 'forwarding' | 'disconnected' | 'blackhole';

export async function startFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: State = 'forwarding';
  let delayMs = 0;
  let trigger: { readonly text: string; left: number } | null = null;

  const disconnect = (): void => {
    state = 'disconnected';
    for (const socket of sockets) socket.destroy();
  };
  const isTriggered = (data: Buffer): boolean => {
    if (trigger === null || !data.includes(trigger.text)) return false;
    trigger.left -= 1;
    return trigger.left <= 0;
  };
  const forward = (from: Socket, to: Socket, shouldDisconnect: (data: Buffer) => boolean): void => {
    let forwarded = Promise.resolve();
    const forwardInTurn = (send: () => void): void => {
      if (state === 'blackhole') return;
      const waitMs = delayMs;
      forwarded = waitMs === 0 ? forwarded.then(send) : forwarded.then(() => delay(waitMs)).then(send);
    };
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (data: Buffer) => {
      if (shouldDisconnect(data)) disconnect();
      else forwardInTurn(() => to.write(data));
    });
    from.on('end', () => {
      forwardInTurn(() => to.end());
    });
    from.on('close', () => {
      sockets.delete(from);
      forwardInTurn(() => to.destroy());
    });
  };
  // With `allowHalfOpen`, Node does not answer the end of a connection by itself, so that `blackhole` can drop it.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (state === 'disconnected') {
      client.destroy();
      return;
    }
    const database = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    forward(client, database, isTriggered);
    forward(database, client, () => false);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(databaseUrl);
  const address = server.address();
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: url.href,
    disconnect,
    disconnectAt: (text, left) => {
      trigger = { text, left };
    },
    blackhole: () => {
      state = 'blackhole';
    },
    slowDown: (ms) => {
      delayMs = ms;
    },
    restore: () => {
      state = 'forwarding';
      delayMs = 0;
      trigger = null;
    },
    stop: async () => {
      disconnect();
      server.close();
      await once(server, 'close');
    },
  };
}
