/**
 * Sends prepared requests over keep-alive connections, each connection one request after another. Written for this
 * benchmark, because a client library costs as much processor time as the measured service, on the same two cores.
 */
import { connect } from 'node:net';
import { quantile } from '../../measure.js';
import { bodyOf, readResponse, type ReceivedResponse } from './http-message.js';
import type { PreparedRequest, PreparedRequests } from './prepared-requests.js';
import { isRightBody } from './right-answer.js';

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly requests: PreparedRequests;
  /** Position of the first request. */
  readonly first: number;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the load generator for each request. */
  readonly loadMicros: number;
  /** Answers with another status, or with a wrong body among those that are checked. */
  readonly wrong: number;
  /** The first wrong answer. */
  readonly example: string | null;
}

/** Parsing every body would take time from the service. */
const CHECKED_SHARE = 16;

export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const run = new LoadRun(options);
  await Promise.all(Array.from({ length: options.connections }, () => run.connection()));
  return run.result();
}

class LoadRun {
  readonly #options: LoadOptions;
  readonly #started = performance.now();
  readonly #startedProcessor = process.cpuUsage();
  readonly #end: number;
  readonly #expectedStatus: number;
  readonly #latencies: number[] = [];
  #next: number;
  #wrong = 0;
  #example: string | null = null;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#next = options.first;
    this.#end = this.#started + options.seconds * 1_000;
    this.#expectedStatus = options.requests.exchange.status ?? 200;
  }

  result(): LoadResult {
    const { user, system } = process.cpuUsage(this.#startedProcessor);
    const requests = this.#latencies.length;
    const seconds = (performance.now() - this.#started) / 1_000;
    return {
      requests,
      seconds,
      p50: quantile(this.#latencies, 0.5),
      p99: quantile(this.#latencies, 0.99),
      loadMicros: Math.round((user + system) / requests),
      wrong: this.#wrong,
      example: this.#example,
    };
  }

  /** Sends one request or more, also when the time is over before it is connected. */
  connection(): Promise<void> {
    const { requests } = this.#options;
    return new Promise((resolve, reject) => {
      const socket = connect({ port: requests.port, host: '127.0.0.1', noDelay: true });
      let received: Buffer | null = null;
      let request: PreparedRequest;
      let sent = 0;
      const sendNext = (): void => {
        const isFirst = sent === 0;
        sent = performance.now();
        if (!isFirst && this.#isOver(sent)) {
          resolve();
          socket.end();
          return;
        }
        request = requests.take(this.#next);
        this.#next += 1;
        received = null;
        socket.write(request.bytes);
      };
      socket.on('connect', sendNext);
      socket.on('data', (chunk) => {
        received = received === null ? chunk : Buffer.concat([received, chunk]);
        const response = readResponse(received);
        if (response === null) return;
        this.#latencies.push(performance.now() - sent);
        this.#check(response, request.number);
        sendNext();
      });
      socket.on('error', reject);
      // A program that closes a connection has lost a request. After the end of the run, this changes nothing.
      socket.on('close', () => {
        reject(new Error('The program closed a connection'));
      });
    });
  }

  #isOver(now: number): boolean {
    return now >= this.#end || this.#options.signal?.aborted === true;
  }

  #check(response: ReceivedResponse, number: number): void {
    const isExpected = response.status === this.#expectedStatus;
    if (isExpected && (this.#latencies.length % CHECKED_SHARE !== 0 || this.#isRight(response, number))) return;
    this.#wrong += 1;
    this.#example ??= `${String(response.status)} ${bodyOf(response).slice(0, 200)}`;
  }

  #isRight(response: ReceivedResponse, number: number): boolean {
    return isRightBody(this.#options.requests.exchange, bodyOf(response), number);
  }
}
