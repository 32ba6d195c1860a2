import type { IncomingHttpHeaders } from 'node:http';
import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';
import { isRecord } from '../errors/index.js';
import type { GraphqlRequest } from '../graphql/engine.js';
import { GRAPHQL_RESPONSE_MEDIA_TYPE, JSON_MEDIA_TYPE } from '../graphql/response-status.js';
import { HttpError, parseQueryString, repeatedNames } from '../rest/index.js';
import { SSE_MEDIA_TYPE } from './sse-connections.js';

type Parameters = Readonly<Record<string, unknown>>;

/** What a request is parsed from. */
export interface HttpRequest {
  readonly method: string;
  /** In origin form: path and query. */
  readonly url: string;
  readonly headers: Pick<IncomingHttpHeaders, 'content-type'>;
  /** Parsed as JSON; anything else where there is none. */
  readonly body: unknown;
}

const KNOWN_PARAMETERS: readonly string[] = ['query', 'operationName', 'variables', 'extensions'];
/** The first is for those who take anything. */
const MEDIA_TYPES = [JSON_MEDIA_TYPE, GRAPHQL_RESPONSE_MEDIA_TYPE];

/** The media type to answer in; null when the client takes none that there is. */
export function negotiateMediaType(request: FastifyRequest): string | null {
  const offered = MEDIA_TYPES.flatMap((type) => [type, `${type}; charset=utf-8`]);
  const best = accepts(request.raw).type(offered);
  return typeof best === 'string' ? (best.split(';', 1)[0] ?? null) : null;
}

/** Whether the client takes server-sent events, at least where there is nothing it likes better. */
export function acceptsEventStream(request: FastifyRequest): boolean {
  return accepts(request.raw).type([SSE_MEDIA_TYPE]) === SSE_MEDIA_TYPE;
}

/**
 * Parses a GraphQL-over-HTTP request (sections 5 and 6 of its specification). Nothing else parses it, so that what is
 * checked is what runs.
 *
 * @throws HttpError `UNSUPPORTED_MEDIA_TYPE` or `MALFORMED_REQUEST`
 */
export function parseGraphqlRequest(request: HttpRequest): GraphqlRequest {
  requireJson(request.headers);
  const parameters = request.method === 'POST' ? bodyOf(request.body) : urlParametersOf(request.url);
  const { query, operationName = null, variables, extensions } = requireKnown(parameters);
  if (typeof query !== 'string' || query === '') throw malformed('query must be the text of a document.');
  if (operationName !== null && typeof operationName !== 'string') throw malformed('operationName must be text.');
  if (!isObjectOrAbsent(variables)) throw malformed('variables must be an object.');
  if (!isObjectOrAbsent(extensions)) throw malformed('extensions must be an object.');
  // In the words by which clients know that they must send the whole document.
  if (extensions?.persistedQuery !== undefined) throw malformed('PersistedQueryNotSupported');
  return { query, operationName, variables: variables ?? {}, extensions: extensions ?? {} };
}

/** Only JSON is read: forms and plain text are what other sites can make a browser send without asking. */
function requireJson(headers: HttpRequest['headers']): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== JSON_MEDIA_TYPE)
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${JSON_MEDIA_TYPE}.`);
}

function bodyOf(body: unknown): Parameters {
  if (!isRecord(body)) throw malformed('The request has no body.');
  return body;
}

function urlParametersOf(url: string): Parameters {
  const given = parseQueryString(url);
  if (repeatedNames(given).size > 0) throw malformed('A parameter of the URL must be given once.');
  const { variables, extensions, ...parameters }: Readonly<Record<string, string>> = Object.fromEntries(given);
  return { ...parameters, variables: parsed('variables', variables), extensions: parsed('extensions', extensions) };
}

function parsed(name: string, text: string | undefined): Parameters | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below.
  }
  throw malformed(`${name} must be an object in JSON.`);
}

function requireKnown(parameters: Parameters): Parameters {
  if (Object.keys(parameters).every((name) => KNOWN_PARAMETERS.includes(name))) return parameters;
  throw malformed(`The parameters of a request are ${KNOWN_PARAMETERS.join(', ')}, and no others.`);
}

function isObjectOrAbsent(value: unknown): value is Parameters | null | undefined {
  return value === undefined || value === null || isRecord(value);
}

function malformed(message: string): HttpError {
  return new HttpError('MALFORMED_REQUEST', message);
}
