import { Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import type { ResultStream } from '../execution/result-stream.js';
import { resultToJson } from '../pacing/result-json.js';

/** Buffered text above which no further result is requested. */
const MAX_BUFFERED_BYTES = 16_384;
/** Reconnection delay of a client, with jitter, so that the clients of a stopped process do not reconnect together. */
const MIN_RETRY_DELAY_MS = 1_000;
const RETRY_JITTER_MS = 2_000;

/**
 * The results of an operation as server-sent events, in the distinct connections mode of GraphQL over SSE.
 *
 * Requests the next result when the client has read the previous ones. Destroying the stream, for example because the
 * client has disconnected, ends the operation.
 */
export class SseStream extends Readable {
  readonly #results: ResultStream;
  #isReading = false;
  #hasEnded = false;

  constructor(results: ResultStream) {
    super({ highWaterMark: MAX_BUFFERED_BYTES });
    this.#results = results;
    // Sent immediately, so that the client sees that it is connected.
    this.push(retryHint());
  }

  /** Sends a comment, so that no proxy closes the connection as idle. */
  keepAlive(): void {
    if (!this.#hasEnded && this.readableLength === 0) this.push(':\n\n');
  }

  /** Ends the stream without `complete`, so that the client reconnects. */
  endForReconnect(): void {
    if (!this.#hasEnded) this.#end(retryHint());
  }

  override _read(): void {
    if (!this.#isReading && !this.#hasEnded) void this.#readNext();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#stopReading();
    callback(error);
  }

  async #readNext(): Promise<void> {
    this.#isReading = true;
    const { done, value } = await this.#results.next();
    this.#isReading = false;
    if (this.#hasEnded) return;
    if (done === true) this.#end('event: complete\ndata:\n\n');
    else this.push(nextEvent(value));
  }

  /** Ends the operation immediately, even if the client never reads the last event. */
  #end(last: string): void {
    this.#stopReading();
    this.push(last);
    this.push(null);
  }

  #stopReading(): void {
    this.#hasEnded = true;
    void this.#results.return?.();
  }
}

function retryHint(): string {
  return `retry: ${Math.round(MIN_RETRY_DELAY_MS + RETRY_JITTER_MS * Math.random())}\n\n`;
}

/** `JSON.stringify` returns no line breaks, so one `data` line is enough. */
function nextEvent(result: ExecutionResult): string {
  return `event: next\ndata: ${resultToJson(result)}\n\n`;
}
