import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The id is logged. Excludes API keys and refresh tokens by their prefix, and access tokens by their length. */
const REQUEST_ID = /^(?!cv[nr]_)[\w.-]{1,64}$/;

/** Returns the client's X-Request-Id if it is safe to log, or else a random id. */
export function newRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const { 'x-request-id': header } = headers;
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}
