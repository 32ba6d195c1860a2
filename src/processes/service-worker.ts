import cluster, { type Worker } from 'node:cluster';
import { WORKER_ENVIRONMENT } from '../config/index.js';
import { OperatorError } from '../errors/index.js';
import { closeLostConnections } from './close-lost-connections.js';
import type { Order, Report, StartOrder } from './messages.js';

/** How a worker has ended. */
export interface WorkerEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** Null when it ended by itself. */
  readonly signal: string | null;
  /** The cause of a failed start or stop, as a text for the operator. Null when the worker has not stated one. */
  readonly reason: string | null;
}

/** A worker process, as its primary sees it. */
export class ServiceWorker {
  readonly #process: Worker;
  readonly #migrated = Promise.withResolvers<undefined>();
  readonly #listening = Promise.withResolvers<string>();
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  #reason: string | null = null;

  /** Starts the process: the same program with the same arguments. It waits for its start order. */
  constructor() {
    // Settings contain buffers.
    cluster.setupPrimary({ serialization: 'advanced' });
    this.#process = cluster.fork(WORKER_ENVIRONMENT);
    closeLostConnections(this.#process.process);
    this.#process.on('message', (report: Report) => {
      this.#receive(report);
    });
    this.#process.once('exit', (exitCode: number | null, signal: string | null) => {
      this.#end({ exitCode, signal, reason: this.#reason });
    });
    this.#process.on('error', (error) => {
      // A process that was not started has no exit. All other errors precede one.
      if (this.pid === undefined) this.#end({ exitCode: null, signal: null, reason: String(error) });
    });
    // Each may be rejected while no caller waits for it.
    for (const { promise } of [this.#migrated, this.#listening]) promise.catch(() => undefined);
  }

  /** Undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#process.process.pid;
  }

  /** @throws OperatorError when the worker ends before it has migrated the database */
  get migrated(): Promise<undefined> {
    return this.#migrated.promise;
  }

  /**
   * Resolves to the greeting of the service when the worker accepts connections.
   *
   * @throws OperatorError when the worker ends before that
   */
  get listening(): Promise<string> {
    return this.#listening.promise;
  }

  get ended(): Promise<WorkerEnd> {
    return this.#ended.promise;
  }

  start(order: StartOrder): void {
    this.#send({ type: 'start', ...order });
  }

  /** Makes the worker complete its requests and end. */
  stop(): void {
    this.#send({ type: 'stop' });
  }

  kill(): void {
    this.#process.process.kill('SIGKILL');
  }

  /** The exit of a worker that cannot be reached is reported. */
  #send(order: Order): void {
    if (this.#process.isConnected()) this.#process.send(order, () => undefined);
  }

  #receive(report: Report): void {
    switch (report.type) {
      case 'migrated':
        this.#migrated.resolve(undefined);
        break;
      case 'listening':
        this.#listening.resolve(report.greeting);
        break;
      case 'failed':
        this.#reason = report.reason;
    }
  }

  #end(end: WorkerEnd): void {
    const error = new OperatorError(end.reason ?? `A worker process ended before it listened (${describeEnd(end)}).`);
    this.#migrated.reject(error);
    this.#listening.reject(error);
    this.#ended.resolve(end);
  }
}

export function describeEnd({ exitCode, signal }: WorkerEnd): string {
  return signal === null ? `exit code ${String(exitCode)}` : signal;
}
