import pg from 'pg';
import { backoffMs } from '../../async/retry.js';
import { runStatement, type Statement } from '../connection/statement.js';

/** Runs a prepared read on the listener's own connection: a busy pool does not delay it. */
export type RunQuery = <Row>(statement: Statement<Row>, values: readonly unknown[]) => Promise<Row[]>;

/** Why it is time to find out what has changed. */
export interface PollTrigger {
  /**
   * `first` on every new connection, also when the database behind it may be another one by now; `regular` when it is
   * time for one: both must miss nothing. `notice` when something was heard.
   */
  readonly kind: 'first' | 'regular' | 'notice';
  /** The payloads since the last look, each once; empty unless it is a `notice`. */
  readonly payloads: readonly string[];
}

export interface NotificationListenerOptions {
  readonly url: string;
  /** A plain SQL name in lower case; see `createNotificationPublisher` for the other end. */
  readonly channel: string;
  /**
   * Finds out what has changed: at once on each new connection, after notices, and every `lookEveryMs` whether or not
   * anything was heard, because notices are lost with a connection and with whoever should have sent them.
   */
  readonly poll: (read: RunQuery, why: PollTrigger) => Promise<void>;
  readonly pollIntervalMs: number;
  /** Hears of each failed attempt, and of each look that succeeded. */
  readonly health: { reportFailure(error: unknown): void; reportSuccess(): void };
}

export interface NotificationListener {
  /**
   * How old a change can be that nobody here has heard of: the time since the last look that missed nothing began,
   * in milliseconds by a clock that is never set; Infinity before the first.
   */
  stalenessMs(): number;
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** On the client's side, since a network that swallows everything never answers. */
const LOOK_TIMEOUT_MS = 2_000;
const CLOSE_LIMIT_MS = 500;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

/**
 * Listens on a channel of PostgreSQL, on a connection of its own, which it makes anew whenever it is lost.
 *
 * Resolves after the first look, or the first failure to take one: it then goes on trying.
 */
export function startNotificationListener(options: NotificationListenerOptions): Promise<NotificationListener> {
  const listener = new ReconnectingListener(options);
  return listener.attempted.then(() => listener);
}

class ReconnectingListener implements NotificationListener {
  /** Settles with the first look or failure. */
  readonly attempted: Promise<void>;
  readonly #options: NotificationListenerOptions;
  readonly #ended: Promise<void>;
  readonly #heard = new Set<string>();
  #lookedAtMs = -Infinity;
  #failures = 0;
  #isStopping = false;
  /** The connection of the moment has ended. */
  #isLost = false;
  #wake: () => void = () => undefined;

  constructor(options: NotificationListenerOptions) {
    this.#options = options;
    const { promise, resolve } = withResolvers();
    this.attempted = promise;
    this.#ended = this.#run(resolve);
  }

  stalenessMs(): number {
    return performance.now() - this.#lookedAtMs;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#ended;
  }

  async #run(onAttempt: () => void): Promise<void> {
    while (!this.#isStopping) {
      const client = this.#openClient();
      try {
        await this.#listenWith(client, onAttempt);
      } catch (error) {
        this.#failures += 1;
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- stop() may have run meanwhile
        if (!this.#isStopping) this.#options.health.reportFailure(error);
      }
      onAttempt();
      await close(client);
      await this.#sleep(backoffMs(FIRST_DELAY_MS, this.#failures + 1, MAX_DELAY_MS));
    }
  }

  /** Without a listener for its errors, a client that loses its connection would end the process. */
  #openClient(): pg.Client {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: `convene ${this.#options.channel}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: LOOK_TIMEOUT_MS,
      keepAlive: true,
    });
    this.#isLost = false;
    client.on('error', () => undefined);
    client.on('end', () => {
      this.#isLost = true;
      this.#wake();
    });
    client.on('notification', ({ payload }) => {
      this.#heard.add(payload ?? '');
      this.#wake();
    });
    return client;
  }

  /** @throws Error once the connection is lost or a look fails; returns when it is time to stop */
  async #listenWith(client: pg.Client, onAttempt: () => void): Promise<void> {
    await client.connect();
    await client.query(`listen ${this.#options.channel}`);
    await this.#look(client, 'first');
    onAttempt();
    while (!this.#isStopping) {
      const untilRegularMs = this.#options.pollIntervalMs - this.stalenessMs();
      if (this.#heard.size === 0) await this.#sleep(untilRegularMs);
      if (this.#isLost) throw new Error('The listening connection has ended.');
      if (this.stalenessMs() >= this.#options.pollIntervalMs) await this.#look(client, 'regular');
      else if (this.#heard.size > 0) await this.#look(client, 'notice');
    }
  }

  async #look(client: pg.Client, kind: PollTrigger['kind']): Promise<void> {
    const begunAtMs = performance.now();
    const payloads = kind === 'notice' ? [...this.#heard] : [];
    // Whatever was heard is covered by a look that misses nothing.
    this.#heard.clear();
    await this.#options.poll((statement, values) => runStatement(client, statement, values), { kind, payloads });
    if (kind !== 'notice') this.#lookedAtMs = begunAtMs;
    this.#failures = 0;
    this.#options.health.reportSuccess();
  }

  /** Until then, or until something happens; the timer keeps no process alive. */
  #sleep(ms: number): Promise<void> {
    const { promise, resolve } = withResolvers();
    const timer = setTimeout(resolve, Math.max(0, ms)).unref();
    this.#wake = resolve;
    if (this.#isStopping) resolve();
    return promise.finally(() => {
      clearTimeout(timer);
    });
  }
}

/** A peer that has gone silent never confirms the end. */
async function close(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => {
    client.connection.stream.destroy();
  }, CLOSE_LIMIT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
