import { Readable } from 'node:stream';
import type { ResultStream } from '../execution/result-stream.js';
import type { StreamEncoding } from './stream-encoding.js';

/** Buffered text above which no further result is requested. */
const MAX_BUFFERED_BYTES = 16_384;

/**
 * The encoded results of an operation.
 *
 * Requests the next result when the client has read the previous ones. Destroying the stream, for example because the
 * client has disconnected, ends the operation.
 */
export class ResponseStream extends Readable {
  readonly #results: ResultStream;
  readonly #encoding: StreamEncoding;
  readonly #requestId: string;
  #isReading = false;
  #hasEnded = false;

  constructor(results: ResultStream, encoding: StreamEncoding, requestId: string) {
    super({ highWaterMark: MAX_BUFFERED_BYTES });
    this.#results = results;
    this.#encoding = encoding;
    this.#requestId = requestId;
    this.push(encoding.opening());
  }

  keepAlive(): void {
    if (!this.#hasEnded && this.readableLength === 0) this.push(this.#encoding.heartbeat);
  }

  /** Ends the operation so that the client reconnects. */
  endForReconnect(): void {
    if (!this.#hasEnded) this.#end(this.#encoding.interruption(this.#requestId));
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
    if (done === true) this.#end(this.#encoding.completion);
    else this.push(this.#encoding.encodeResult(value));
  }

  /** Ends the operation immediately, even if the client never reads the last text. */
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
