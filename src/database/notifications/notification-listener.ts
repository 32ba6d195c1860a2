import type pg from 'pg';
import { backoffMs } from '../../async/retry.js';
import type { Pooler } from '../client/client-options.js';
import { createDatabaseClient } from '../client/database-client.js';
import { runStatement, type Statement } from '../connection/statement.js';

/** Runs a prepared statement on the listener's own connection, so that a busy pool does not delay it. */
export type RunQuery = <Row>(statement: Statement<Row>, values: readonly unknown[]) => Promise<Row[]>;

/** Why a poll runs. */
export interface PollTrigger {
  /**
   * `connect` on each new connection, behind which may be another database; `interval` when `pollIntervalMs` has
   * passed. Both must find every change. `notification` when notifications were received.
   */
  readonly kind: 'connect' | 'interval' | 'notification';
  /** The distinct payloads received since the last poll; empty unless `kind` is `notification`. */
  readonly payloads: readonly string[];
}

export interface NotificationListenerOptions {
  readonly url: string;
  /** Behind a transaction pooler no notification is received, so that the interval alone bounds the delay. */
  readonly pooler?: Pooler | undefined;
  /** A plain SQL name in lower case, as of `createNotificationPublisher`. */
  readonly channel: string;
  /**
   * Reads what has changed. Called immediately on each new connection, after notifications, and every
   * `pollIntervalMs`.
   *
   * Reason for the interval: a notification is lost when the connection of its sender or of the listener is lost.
   */
  readonly poll: (query: RunQuery, trigger: PollTrigger) => Promise<void>;
  readonly pollIntervalMs: number;
  /** Called with the error of each failed connection or poll, and after each successful poll. */
  readonly health: { reportFailure(error: unknown): void; reportSuccess(): void };
}

export interface NotificationListener {
  /**
   * Upper bound of the age of an unknown change: the milliseconds since the start of the last successful `connect` or
   * `interval` poll, by a monotonic clock. Infinity before the first.
   */
  stalenessMs(): number;
  /** Closes the connection. Resolves after the running poll. */
  stop(): Promise<void>;
}

/** Enforced by the client, because a network that drops packets never returns a response. */
const QUERY_TIMEOUT_MS = 2_000;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

/**
 * Listens on a channel of PostgreSQL, on a connection of its own. Reconnects with backoff when the connection is lost
 * or a poll fails.
 *
 * @returns the listener after its first poll, also when that or the connection has failed
 */
export async function startNotificationListener(options: NotificationListenerOptions): Promise<NotificationListener> {
  const listener = new ReconnectingListener(options);
  await listener.firstAttempt;
  return listener;
}

class ReconnectingListener implements NotificationListener {
  /** Resolves after the first poll or failure. */
  readonly firstAttempt: Promise<unknown>;
  readonly #options: NotificationListenerOptions;
  readonly #stopped: Promise<void>;
  readonly #payloads = new Set<string>();
  #lastFullPollMs = -Infinity;
  #failures = 0;
  #isStopping = false;
  /** Whether the present connection has ended. */
  #isDisconnected = false;
  #wake: () => void = () => undefined;

  constructor(options: NotificationListenerOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.firstAttempt = promise;
    this.#stopped = this.#run(() => {
      resolve(undefined);
    });
  }

  stalenessMs(): number {
    return performance.now() - this.#lastFullPollMs;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#stopped;
  }

  async #run(onAttempt: () => void): Promise<void> {
    while (!this.#isStopping) {
      const client = this.#createClient();
      try {
        await this.#listenWith(client, onAttempt);
      } catch (error) {
        this.#failures += 1;
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- may have changed during the await
        if (!this.#isStopping) this.#options.health.reportFailure(error);
      }
      onAttempt();
      await client.end();
      await this.#sleep(backoffMs(FIRST_DELAY_MS, this.#failures + 1, MAX_DELAY_MS));
    }
  }

  #createClient(): pg.Client {
    const { url, pooler, channel } = this.#options;
    const client = createDatabaseClient({ url, pooler, purpose: channel, silenceLimitMs: QUERY_TIMEOUT_MS });
    this.#isDisconnected = false;
    // Without a listener, the `error` event of a lost connection would end the process.
    client.on('error', () => undefined);
    client.on('end', () => {
      this.#isDisconnected = true;
      this.#wake();
    });
    client.on('notification', ({ payload }) => {
      this.#payloads.add(payload ?? '');
      this.#wake();
    });
    return client;
  }

  /** Resolves when the listener stops. @throws Error when the connection is lost or a poll fails */
  async #listenWith(client: pg.Client, onAttempt: () => void): Promise<void> {
    await client.connect();
    if (this.#options.pooler !== 'transaction') await client.query(`listen ${this.#options.channel}`);
    await this.#poll(client, 'connect');
    onAttempt();
    while (!this.#isStopping) {
      const untilNextPollMs = this.#options.pollIntervalMs - this.stalenessMs();
      if (this.#payloads.size === 0) await this.#sleep(untilNextPollMs);
      if (this.#isDisconnected) throw new Error('The connection of the listener has ended.');
      if (this.stalenessMs() >= this.#options.pollIntervalMs) await this.#poll(client, 'interval');
      else if (this.#payloads.size > 0) await this.#poll(client, 'notification');
    }
  }

  async #poll(client: pg.Client, kind: PollTrigger['kind']): Promise<void> {
    const startedAtMs = performance.now();
    const payloads = kind === 'notification' ? [...this.#payloads] : [];
    // Polls of the other kinds find the changes of all received notifications.
    this.#payloads.clear();
    await this.#options.poll((statement, values) => runStatement(client, statement, values), { kind, payloads });
    if (kind !== 'notification') this.#lastFullPollMs = startedAtMs;
    this.#failures = 0;
    this.#options.health.reportSuccess();
  }

  /** Waits until the time has passed or `#wake` is called. The timer does not keep the process alive. */
  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#wake = () => {
      resolve(undefined);
    };
    const timer = setTimeout(this.#wake, Math.max(0, ms)).unref();
    if (this.#isStopping) this.#wake();
    await promise;
    clearTimeout(timer);
  }
}
