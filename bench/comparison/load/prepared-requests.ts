import type { Exchange } from '../exchanges/exchange.js';
import { serializeRequest } from './http-message.js';

/** One request of an operation, ready to be sent. */
export interface PreparedRequest {
  readonly number: number;
  readonly bytes: Buffer;
}

/**
 * The requests of one subject and operation. Each is serialized when it is first sent, and its bytes are sent again one
 * period later, so that the load generator leaves the processor to the measured program.
 */
export class PreparedRequests {
  readonly #bytes: Buffer[] = [];

  /** @param period number of different requests; infinite when no request may be repeated */
  constructor(
    readonly port: number,
    readonly exchange: Exchange,
    readonly period: number,
  ) {}

  take(count: number): PreparedRequest {
    const number = count % this.period;
    return { number, bytes: this.#bytes[number] ?? this.#serialize(number) };
  }

  #serialize(number: number): Buffer {
    const bytes = serializeRequest(this.exchange.request(number), this.port);
    if (Number.isFinite(this.period)) this.#bytes[number] = bytes;
    return bytes;
  }
}
