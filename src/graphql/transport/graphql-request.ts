import type { IncomingHttpHeaders } from 'node:http';
import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';
import { isRecord } from '../../errors/index.js';
import { bodyMediaType, HttpError, parseQueryString, repeatedNames } from '../../http-core/index.js';
import type { GraphqlRequest } from '../engines/engine.js';
import { GRAPHQL_RESPONSE_MEDIA_TYPE, JSON_MEDIA_TYPE } from '../engines/response-status.js';
import { SSE_MEDIA_TYPE } from './sse-connections.js';

type Parameters = Readonly<Record<string, unknown>>;

/** The parts of an HTTP request that are parsed. */
interface HttpRequest {
  readonly method: string;
  /** In origin form: path and query. */
  readonly url: string;
  readonly headers: Pick<IncomingHttpHeaders, 'content-type'>;
  /** The parsed JSON; not an object when there is no body. */
  readonly body: unknown;
}

const KNOWN_PARAMETERS: readonly string[] = ['query', 'operationName', 'variables', 'extensions'];
/** The first is for clients that accept any type. */
const MEDIA_TYPES = [JSON_MEDIA_TYPE, GRAPHQL_RESPONSE_MEDIA_TYPE];

/** Returns the media type of the response; null when the client accepts none of them. */
export function negotiateMediaType(request: FastifyRequest): string | null {
  const offered = MEDIA_TYPES.flatMap((type) => [type, `${type}; charset=utf-8`]);
  const best = accepts(request.raw).type(offered);
  return typeof best === 'string' ? (best.split(';', 1)[0] ?? null) : null;
}

/** Returns whether the client accepts server-sent events, with whatever preference. */
export function acceptsEventStream(request: FastifyRequest): boolean {
  return accepts(request.raw).type([SSE_MEDIA_TYPE]) === SSE_MEDIA_TYPE;
}

/**
 * Parses a GraphQL-over-HTTP request (sections 5 and 6 of its specification). No other code parses it, so the operation
 * that is checked is the one that runs.
 *
 * @throws HttpError `UNSUPPORTED_MEDIA_TYPE` or `MALFORMED_REQUEST`
 */
export function parseGraphqlRequest(request: HttpRequest): GraphqlRequest {
  requireJson(request.headers);
  const parameters = request.method === 'POST' ? requireBody(request.body) : urlParametersOf(request.url);
  const { query, operationName = null, variables, extensions } = requireKnown(parameters);
  if (typeof query !== 'string' || query === '') throw malformed('query must be the text of a document.');
  if (operationName !== null && typeof operationName !== 'string') throw malformed('operationName must be text.');
  if (!isObjectOrAbsent(variables)) throw malformed('variables must be an object.');
  if (!isObjectOrAbsent(extensions)) throw malformed('extensions must be an object.');
  // By this message, clients recognize that they must send the whole document.
  if (extensions?.persistedQuery !== undefined) throw malformed('PersistedQueryNotSupported');
  return { query, operationName, variables: variables ?? {}, extensions: extensions ?? {} };
}

/** Accepts only JSON, because other sites can make a browser send forms and plain text without a CORS preflight. */
function requireJson(headers: HttpRequest['headers']): void {
  const type = bodyMediaType(headers);
  if (type !== undefined && type !== JSON_MEDIA_TYPE)
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${JSON_MEDIA_TYPE}.`);
}

function requireBody(body: unknown): Parameters {
  if (!isRecord(body)) throw malformed('The request has no body.');
  return body;
}

function urlParametersOf(url: string): Parameters {
  const parameters = parseQueryString(url);
  if (repeatedNames(parameters).size > 0) throw malformed('A parameter of the URL must be given once.');
  const { variables, extensions, ...others }: Readonly<Record<string, string>> = Object.fromEntries(parameters);
  return {
    ...others,
    variables: parseObject('variables', variables),
    extensions: parseObject('extensions', extensions),
  };
}

function parseObject(name: string, text: string | undefined): Parameters | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Rejected below.
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
