import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

export interface NotificationPublisherOptions {
  readonly pool: pg.Pool;
  /** A plain SQL name in lower case; see `startNotificationListener` for the other end. */
  readonly channel: string;
  /** Milliseconds for which payloads are collected before they are sent; none by default. */
  readonly batchWindowMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Publishes to the listeners of a channel, in every process, that a change was committed. */
export interface NotificationPublisher {
  /**
   * Returns immediately and never throws. Listeners find a lost notification at their next poll.
   *
   * @param payload less than 8,000 bytes
   */
  publish(payload: string): void;
  /** Resolves once every published payload has been sent or has failed. */
  flush(): Promise<void>;
}

/**
 * Publishes notifications after the commit. Payloads published while a query is in flight go into the next one.
 *
 * Reason: `NOTIFY` inside the transaction takes a global lock at commit and would serialize all commits.
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
