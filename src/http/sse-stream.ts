import { Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import { resultToJson } from '../graphql/load/result-json.js';
import type { ResultStream } from '../graphql/result-stream.js';

/** Of text that waits for the client: beyond it no result is asked for. */
const MOST_WAITING_BYTES = 16_384;
/** How long a client waits before it comes back; spread, so that those of a stopped process do not come all at once. */
const SHORTEST_RETRY_MS = 1_000;
const RETRY_SPREAD_MS = 2_000;

/**
 * The results of an operation as server-sent events, in the distinct connections mode of GraphQL over SSE.
 *
 * A result is asked for when the client has taken what came before it. Whatever destroys the stream, as a client that
 * goes away does, ends the operation.
 */
export class SseStream extends Readable {
  readonly #results: ResultStream;
  #isAsking = false;
  #isOver = false;

  constructor(results: ResultStream) {
    super({ highWaterMark: MOST_WAITING_BYTES });
    this.#results = results;
    // At once, so that the client sees that it is connected.
    this.push(retryHint());
  }

  /** A comment, which keeps connections open that are cut when they are silent. */
  keepAlive(): void {
    if (!this.#isOver && this.readableLength === 0) this.push(':\n\n');
  }

  /** Ends without `complete`, so that the client comes back. */
  endForReconnect(): void {
    if (!this.#isOver) this.#end(retryHint());
  }

  override _read(): void {
    if (!this.#isAsking && !this.#isOver) void this.#ask();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#stopAsking();
    callback(error);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const { done, value } = await this.#results.next();
    this.#isAsking = false;
    if (this.#isOver) return;
    if (done === true) this.#end('event: complete\ndata:\n\n');
    else this.push(nextEvent(value));
  }

  /** A client that takes nothing any more must not keep the operation going. */
  #end(last: string): void {
    this.#stopAsking();
    this.push(last);
    this.push(null);
  }

  #stopAsking(): void {
    this.#isOver = true;
    void this.#results.return?.();
  }
}

function retryHint(): string {
  return `retry: ${Math.round(SHORTEST_RETRY_MS + RETRY_SPREAD_MS * Math.random())}\n\n`;
}

/** JSON has no line breaks, so one line holds it. */
function nextEvent(result: ExecutionResult): string {
  return `event: next\ndata: ${resultToJson(result)}\n\n`;
}
