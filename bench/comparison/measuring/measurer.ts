import { periodOf, USERS } from '../exchanges/choices.js';
import { READS, type Exchange, type Operation } from '../exchanges/exchange.js';
import { generateLoad, type LoadOptions, type LoadResult } from '../load/load.js';
import { PreparedRequests } from '../load/prepared-requests.js';
import { CONNECTIONS, type FloodMeasurement, type Measurement } from '../report/results.js';
import type { Subject } from '../subjects/subject.js';
import { processorMs } from './processor-time.js';
import type { FloodStep, LoadStep } from './schedule.js';

/** The time within which a program is shown each token. Only slow programs are not. */
const TOKENS_LIMIT_MS = 5_000;
const TOKENS_STEP_SECONDS = 0.5;

/** Loads the subjects, and reads what it costs them and PostgreSQL. */
export class Measurer {
  readonly #postmaster: number;
  readonly #pidOf: (port: number) => number;
  readonly #signal: AbortSignal;
  /**
   * The next request of each program and operation. Passes of writes follow each other without a gap, so that each is a
   * change.
   */
  readonly #positions = new Map<string, number>();
  #prepared = new Map<string, PreparedRequests>();
  /** Ports of the programs that have been shown the tokens. */
  readonly #shownTokens = new Set<number>();

  constructor(postmaster: number, pidOf: (port: number) => number, signal: AbortSignal) {
    this.#postmaster = postmaster;
    this.#pidOf = pidOf;
    this.#signal = signal;
  }

  async measureLoad(step: LoadStep): Promise<Measurement> {
    const { operation, subject, connections, round, seconds, warmUpSeconds } = step;
    if (READS.includes(operation)) await this.#showTokens(step);
    if (warmUpSeconds > 0) await this.#load(subject, operation, { connections, seconds: warmUpSeconds });
    const pid = this.#pidOf(subject.port);
    const before = { service: processorMs(pid), postgres: processorMs(this.#postmaster) };
    const result = await this.#load(subject, operation, { connections, seconds });
    const micros = (since: number, now: number): number => Math.round(((now - since) * 1_000) / result.requests);
    return {
      operation,
      subject: subject.name,
      connections,
      round,
      perSecond: rounded(result.requests / result.seconds),
      p50: rounded(result.p50),
      p99: rounded(result.p99),
      serviceMicros: micros(before.service, processorMs(pid)),
      postgresMicros: micros(before.postgres, processorMs(this.#postmaster)),
      loadMicros: result.loadMicros,
    };
  }

  async measureFlood({ subject, round, seconds }: FloodStep): Promise<FloodMeasurement> {
    const idle = await this.#load(subject, 'me', { connections: 1, seconds });
    const over = new AbortController();
    const flood = this.#load(subject, 'login', { connections: CONNECTIONS, seconds: seconds * 2, signal: over.signal });
    const read = this.#load(subject, 'me', { connections: 1, seconds }).finally(() => {
      over.abort();
    });
    const [flooded] = await Promise.all([read, flood]);
    return { subject: subject.name, round, idleP99: rounded(idle.p99), floodP99: rounded(flooded.p99) };
  }

  /**
   * Shows a program each token once. A program that has just started checks a signature with nearly each request, which
   * takes longer than the request.
   */
  async #showTokens({ subject, operation, connections }: LoadStep): Promise<void> {
    if (this.#shownTokens.has(subject.port)) return;
    this.#shownTokens.add(subject.port);
    const end = performance.now() + TOKENS_LIMIT_MS;
    while (performance.now() < end && this.answered(subject, operation) < USERS)
      await this.#load(subject, operation, { connections, seconds: TOKENS_STEP_SECONDS });
  }

  /** Number of requests that a program has answered for an operation. */
  answered({ port }: Subject, operation: Operation): number {
    return this.#positions.get(`${operation}:${String(port)}`) ?? 0;
  }

  /** @returns the numbers of the next `count` requests, which the caller sends */
  take({ port }: Subject, operation: Operation, count: number): number[] {
    const key = `${operation}:${String(port)}`;
    const first = this.#positions.get(key) ?? 0;
    this.#positions.set(key, first + count);
    return Array.from({ length: count }, (_, index) => (first + index) % periodOf(operation));
  }

  /** Lets go of the serialized requests of an operation that is done. */
  forgetRequests(): void {
    this.#prepared = new Map();
  }

  async #load(
    subject: Subject,
    operation: Operation,
    options: Pick<LoadOptions, 'connections' | 'seconds' | 'signal'>,
  ): Promise<LoadResult> {
    const requests = this.#requestsOf(subject, operation);
    const signal = AbortSignal.any([this.#signal, ...(options.signal === undefined ? [] : [options.signal])]);
    const result = await generateLoad({ ...options, signal, requests, first: this.answered(subject, operation) });
    this.#signal.throwIfAborted();
    this.take(subject, operation, result.requests);
    if (result.wrong > 0) throw new Error(`${String(result.wrong)} answers were wrong: ${String(result.example)}`);
    return result;
  }

  #requestsOf(subject: Subject, operation: Operation): PreparedRequests {
    const key = `${operation}:${subject.name}`;
    const prepared =
      this.#prepared.get(key) ??
      new PreparedRequests(subject.port, exchangeOf(subject, operation), periodOf(operation));
    this.#prepared.set(key, prepared);
    return prepared;
  }
}

function exchangeOf({ name, exchanges }: Subject, operation: Operation): Exchange {
  const exchange = exchanges[operation];
  if (exchange === undefined) throw new Error(`${name} has no operation ${operation}`);
  return exchange;
}

/** Enough digits for ratios. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
