/**
 * Sends prepared requests over keep-alive connections, each connection one request after another. Written for this
 * benchmark, because a client library costs as much processor time as the measured service, on the same two cores.
 */
import { connect, type Socket } from 'node:net';
import { quantile } from '../measure.js';
import type { BenchRequest, Exchange } from './subject.js';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly exchange: Exchange;
  /** Number of the first request. */
  readonly first: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers with another status than 200, or with a wrong body among those that are checked. */
  readonly wrong: number;
  /** The first wrong answer. */
  readonly example: string | null;
}

/** Reading every body would take time from the service. */
const CHECKED_SHARE = 16;
const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const run = new LoadRun(options);
  await Promise.all(Array.from({ length: options.connections }, () => run.connection()));
  return run.result();
}

class LoadRun {
  readonly #options: LoadOptions;
  readonly #started = performance.now();
  readonly #latencies: number[] = [];
  #next: number;
  #wrong = 0;
  #example: string | null = null;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#next = options.first;
  }

  result(): LoadResult {
    return {
      requests: this.#latencies.length,
      seconds: (performance.now() - this.#started) / 1_000,
      p50: quantile(this.#latencies, 0.5),
      p99: quantile(this.#latencies, 0.99),
      wrong: this.#wrong,
      example: this.#example,
    };
  }

  connection(): Promise<void> {
    const { port, seconds } = this.#options;
    const end = this.#started + seconds * 1_000;
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let received: Buffer | null = null;
      let number = 0;
      let sent = 0;
      const sendNext = (): void => {
        if (performance.now() >= end) {
          socket.end();
          resolve();
          return;
        }
        number = this.#next;
        this.#next += 1;
        received = null;
        const bytes = serializeRequest(this.#options.exchange.request(number), port);
        sent = performance.now();
        socket.write(bytes);
      };
      socket.on('connect', sendNext);
      socket.on('data', (chunk) => {
        received = received === null ? chunk : Buffer.concat([received, chunk]);
        const body = completeBody(received);
        if (body === null) return;
        this.#latencies.push(performance.now() - sent);
        this.#check(received, body, number);
        sendNext();
      });
      socket.on('error', reject);
      failOnClose(socket, reject);
    });
  }

  #check(response: Buffer, body: string, number: number): void {
    const isOk = response.toString('latin1', 9, 12) === '200';
    if (isOk && (number % CHECKED_SHARE !== 0 || isRightBody(this.#options.exchange, body, number))) return;
    this.#wrong += 1;
    this.#example ??= `${response.toString('latin1', 9, 12)} ${body.slice(0, 200)}`;
  }
}

/** A service that closes a connection has lost a request. After the end of the run, this changes nothing. */
function failOnClose(socket: Socket, reject: (error: Error) => void): void {
  socket.on('close', () => {
    reject(new Error('The service closed a connection'));
  });
}

export function isRightBody({ isRight }: Exchange, body: string, number: number): boolean {
  try {
    return isRight(JSON.parse(body) as never, number);
  } catch {
    return false;
  }
}

function serializeRequest({ method = 'GET', path, headers = {}, body }: BenchRequest, port: number): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${String(port)}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (text !== '') lines.push(`content-length: ${String(Buffer.byteLength(text))}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

/** @returns null while the response is incomplete */
function completeBody(received: Buffer): string | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = received.toString('latin1', 0, headEnd).toLowerCase();
  const start = headEnd + HEAD_END.length;
  const length = /content-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined)
    return received.length >= start + Number(length) ? received.toString('utf8', start, start + Number(length)) : null;
  return received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? joinChunks(received.subarray(start)) : null;
}

function joinChunks(chunked: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = chunked.indexOf('\r\n', at);
    const size = Number.parseInt(chunked.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(parts).toString('utf8');
    parts.push(chunked.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + size + 4;
  }
}
