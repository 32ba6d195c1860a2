import type { ExecutionResult } from 'graphql';
import { UnavailableError } from '../../errors/index.js';
import { domainErrorExtensions } from '../errors/public-error.js';
import { resultToJson } from '../pacing/result-json.js';
import { reconnectDelayMs, type StreamEncoding } from './stream-encoding.js';

/** The media type of the protocol, with the parameters that a client may require. */
export const MULTIPART_MEDIA_TYPE = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0';

const BOUNDARY = '\r\n--graphql';

/**
 * Parts of JSON in Apollo's multipart HTTP protocol for GraphQL subscriptions, version 1.0.
 *
 * The boundary follows each part immediately: a client reads a part when it sees the next boundary.
 */
export const MULTIPART_ENCODING: StreamEncoding = {
  contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  opening: () => BOUNDARY,
  heartbeat: part('{}'),
  encodeResult: (result) => part(isFatal(result) ? fatalMessage(result) : `{"payload":${resultToJson(result)}}`),
  completion: '--\r\n',
  interruption: (requestId) => `${part(fatalMessage({ errors: [stopping(requestId)] }))}--\r\n`,
};

function part(json: string): string {
  return `\r\nContent-Type: application/json\r\n\r\n${json}${BOUNDARY}`;
}

/** A result without `data`, not even null: the operation did not start, or an error has ended it. */
function isFatal(result: ExecutionResult): boolean {
  return result.data === undefined;
}

/** Errors beside the payload end the operation of the client. */
function fatalMessage({ errors }: Pick<object & { errors?: readonly object[] }, 'errors'>): string {
  return JSON.stringify({ payload: null, errors });
}

/** The protocol has no hint to reconnect. */
function stopping(requestId: string): object {
  const retryAfterSeconds = Math.round(reconnectDelayMs() / 1_000);
  const error = new UnavailableError('SHUTTING_DOWN', { retryAfterSeconds });
  return { message: error.message, extensions: domainErrorExtensions(error, requestId) };
}
