import { once } from 'node:events';
import pg from 'pg';
import { pause } from '../pause.js';
import { withinMs } from '../within-ms.js';

export interface ListenOptions {
  readonly connection: pg.ClientConfig;
  readonly channel: string;
  readonly onNotice: (payload: string) => void;
  readonly onError: (error: unknown) => void;
}

export interface Listening {
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const CLOSE_LIMIT_MS = 2_000;

/**
 * Hears what is notified on a channel of PostgreSQL, on a connection of its own, which it makes anew whenever it is lost.
 *
 * What is notified meanwhile is not heard: whoever listens looks for itself now and then as well.
 */
export function keepListening(options: ListenOptions): Listening {
  const stopping = new AbortController();
  const ended = listenUntil(stopping.signal, options);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function listenUntil(signal: AbortSignal, options: ListenOptions): Promise<void> {
  const isStopping = (): boolean => signal.aborted;
  let failures = 0;
  while (!isStopping()) {
    const client = openClient(options);
    try {
      await listenOn(client, options.channel, signal, () => (failures = 0));
    } catch (error) {
      failures += 1;
      if (!isStopping()) options.onError(error);
    }
    await closeClient(client);
    await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal);
  }
}

/** Without a listener for its errors, a client that loses its connection would end the process. */
function openClient({ connection, onNotice }: ListenOptions): pg.Client {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  client.on('notification', ({ payload }) => { onNotice(payload ?? ''); });
  return client;
}

/** Rejects once the connection is lost, or it is time to stop. */
async function listenOn(client: pg.Client, channel: string, signal: AbortSignal, onListening: () => void): Promise<void> {
  const lost = once(client, 'end', { signal });
  // Heard from now on, so that a loss while connecting is not taken for an error that nobody handles.
  lost.catch(() => undefined);
  await client.connect();
  await client.query(`listen ${channel}`);
  onListening();
  await lost;
  throw new Error('The listening connection has ended.');
}

async function closeClient(client: pg.Client): Promise<void> {
  await withinMs(CLOSE_LIMIT_MS, client.end()).catch(() => undefined);
}
