import type { ExecutionResult } from 'graphql';

/** How a stream of results is written as a response body. */
export interface StreamEncoding {
  readonly contentType: string;
  /** Sent immediately, so that the client sees that it is connected. */
  opening(): string;
  /** Sent while there is no result, so that no proxy closes the connection as idle. */
  readonly heartbeat: string;
  encodeResult(result: ExecutionResult): string;
  /** Sent after the last result of an operation. */
  readonly completion: string;
  /** Sent when the service stops, so that the client reconnects. */
  interruption(requestId: string): string;
}

/** With jitter, so that the clients of a stopped process do not reconnect together. */
const MIN_RECONNECT_DELAY_MS = 1_000;
const RECONNECT_JITTER_MS = 2_000;

/** Returns the time in ms after which a client should reconnect. */
export function reconnectDelayMs(): number {
  return Math.round(MIN_RECONNECT_DELAY_MS + RECONNECT_JITTER_MS * Math.random());
}
