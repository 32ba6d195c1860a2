import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../async/retry.js';
import type { StartOrder } from './messages.js';
import { describeEnd, ServiceWorker, type WorkerEnd } from './service-worker.js';

/** Longer than a worker needs: 8 s for its parts, and 0.5 s for its end. */
const STOP_LIMIT_MS = 9_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A worker that has run this long was not part of a series of crashes. */
const STABLE_AFTER_MS = 60_000;

/**
 * The workers of a service. A worker that ends is replaced, after 500 ms, and after twice the time, up to 30 s, when
 * its replacement ends within a minute too.
 */
export class WorkerGroup {
  readonly #log: Logger;
  readonly #running = new Set<ServiceWorker>();
  readonly #stopping = new AbortController();

  /** Starts the processes, which load the service and wait for `start`. */
  constructor(count: number, log: Logger) {
    this.#log = log;
    for (let index = 0; index < count; index += 1) this.#fork();
  }

  /**
   * Lets the workers start the service, the first of them with the migrations.
   *
   * @returns the greeting of the first worker, when all accept connections
   * @throws OperatorError with the reason of the first worker that ended before
   */
  async start(order: Omit<StartOrder, 'migrates'>): Promise<string> {
    const workers = [...this.#running];
    const [first, ...others] = workers;
    const allListening = Promise.all(workers.map((worker) => worker.listening));
    first?.start({ ...order, migrates: true });
    await Promise.race([first?.migrated, allListening]);
    for (const worker of others) worker.start({ ...order, migrates: false });
    const [greeting = ''] = await allListening;
    for (const worker of workers) void this.#keep(worker, order);
    return greeting;
  }

  /**
   * Lets the workers complete their requests and end. Kills those that still run after 9 s.
   *
   * @throws Error when a worker did not end cleanly
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const ends = await Promise.all([...this.#running].map(stopWorker));
    const failed = ends.find(({ exitCode }) => exitCode !== 0);
    if (failed !== undefined) throw new Error(failed.reason ?? `A worker process ended by ${describeEnd(failed)}`);
  }

  #fork(): ServiceWorker {
    const worker = new ServiceWorker();
    this.#running.add(worker);
    void worker.ended.then(() => this.#running.delete(worker));
    return worker;
  }

  /** Replaces a worker, and its replacements, until the group stops. */
  async #keep(first: ServiceWorker, order: Omit<StartOrder, 'migrates'>): Promise<void> {
    let worker = first;
    let shortRuns = 0;
    for (;;) {
      const startedAt = performance.now();
      const end = await worker.ended;
      if (this.#stopping.signal.aborted) return;
      shortRuns = performance.now() - startedAt < STABLE_AFTER_MS ? shortRuns + 1 : 1;
      const delayMs = backoffMs(FIRST_DELAY_MS, shortRuns, MAX_DELAY_MS);
      this.#log.warn({ workerPid: worker.pid, ...end, delayMs }, 'A worker process has ended and is replaced');
      if (!(await this.#pause(delayMs))) return;
      worker = this.#fork();
      worker.start({ ...order, migrates: false });
      this.#logListening(worker);
    }
  }

  #logListening(worker: ServiceWorker): void {
    void worker.listening.then(
      () => {
        this.#log.info({ workerPid: worker.pid }, 'The replacement of a worker process listens');
      },
      () => undefined,
    );
  }

  /** Keeps the primary alive, unlike `abortableDelay`. @returns false when the group stops meanwhile */
  async #pause(ms: number): Promise<boolean> {
    try {
      return await delay(ms, true, { signal: this.#stopping.signal });
    } catch {
      return false;
    }
  }
}

async function stopWorker(worker: ServiceWorker): Promise<WorkerEnd> {
  worker.stop();
  const timer = setTimeout(() => {
    worker.kill();
  }, STOP_LIMIT_MS);
  try {
    return await worker.ended;
  } finally {
    clearTimeout(timer);
  }
}
