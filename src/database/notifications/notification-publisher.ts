import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

export interface NotificationPublisherOptions {
  readonly pool: pg.Pool;
  /** A plain SQL name in lower case; see `startNotificationListener` for the other end. */
  readonly channel: string;
  /** For how long what is announced is gathered before it is sent, where there is a lot of it. */
  readonly batchWindowMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Tells the listeners of a channel, in every process, that something was committed. */
export interface NotificationPublisher {
  /**
   * Returns at once and never throws: a notice that is lost is made up for by the listeners' regular looks.
   *
   * @param payload less than 8,000 bytes
   */
  publish(payload: string): void;
  /** Resolves once everything that was announced has been sent, or could not be. */
  flush(): Promise<void>;
}

/**
 * Sends notices after the commit, and all that are announced while one is on its way as the next: inside the
 * transactions, NOTIFY would make all of their commits wait for each other.
 */
export function createNotificationPublisher({
  pool,
  channel,
  batchWindowMs,
  onError,
}: NotificationPublisherOptions): NotificationPublisher {
  let waiting = new Set<string>();
  let sending: Promise<void> | null = null;

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      if (batchWindowMs !== undefined) await delay(batchWindowMs);
      const payloads = [...waiting];
      waiting = new Set();
      await pool
        .query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads])
        .catch(onError);
    }
    sending = null;
  }

  return {
    publish: (payload) => {
      waiting.add(payload);
      sending ??= sendAll();
    },
    flush: () => sending ?? Promise.resolve(),
  };
}
