import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';
import { GRAPHQL_RESPONSE_JSON, JSON_TYPE } from '../graphql/response-status.js';
import { HttpError } from '../rest/index.js';
import { EVENT_STREAM_TYPE } from './event-streams.js';

type Parameters = Readonly<Record<string, unknown>>;

/** What is to be run. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Parameters;
}

const KNOWN_PARAMETERS: readonly string[] = ['query', 'operationName', 'variables', 'extensions'];
/** The first is for those who take anything. */
const MEDIA_TYPES = [JSON_TYPE, GRAPHQL_RESPONSE_JSON];

/** The media type to answer in; null when the client takes none that there is. */
export function findMediaType(request: FastifyRequest): string | null {
  const offered = MEDIA_TYPES.flatMap((type) => [type, `${type}; charset=utf-8`]);
  const best = accepts(request.raw).type(offered);
  return typeof best === 'string' ? (best.split(';', 1)[0] ?? null) : null;
}

/** Whether the client takes server-sent events, at least where there is nothing it likes better. */
export function acceptsEvents(request: FastifyRequest): boolean {
  return accepts(request.raw).type([EVENT_STREAM_TYPE]) === EVENT_STREAM_TYPE;
}

/**
 * Makes sure that a request is well-formed (GraphQL over HTTP, sections 5 and 6), so that neither engine has to say
 * what is wrong with it, each in its own way.
 *
 * @throws HttpError `UNSUPPORTED_MEDIA_TYPE` or `MALFORMED_REQUEST`
 */
export function readGraphqlRequest(request: FastifyRequest): GraphqlRequest {
  requireJson(request);
  const { query, operationName = null, variables, extensions } = requireKnown(request.method === 'POST' ? bodyOf(request) : urlParametersOf(request));
  if (typeof query !== 'string' || query === '') throw malformed('query must be the text of a document.');
  if (operationName !== null && typeof operationName !== 'string') throw malformed('operationName must be text.');
  if (!isObjectOrAbsent(variables)) throw malformed('variables must be an object.');
  if (!isObjectOrAbsent(extensions)) throw malformed('extensions must be an object.');
  // In the words by which clients know that they must send the whole document.
  if (extensions?.persistedQuery !== undefined) throw malformed('PersistedQueryNotSupported');
  return { query, operationName, variables: variables ?? {} };
}

/** Only JSON is read: forms and plain text are what other sites can make a browser send without asking. */
function requireJson(request: FastifyRequest): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== JSON_TYPE) throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${JSON_TYPE}.`);
}

function bodyOf({ body }: FastifyRequest): Parameters {
  if (!isObject(body)) throw malformed('The request has no body.');
  return body;
}

function urlParametersOf({ query }: FastifyRequest): Parameters {
  const { variables, extensions, ...parameters } = isObject(query) ? query : {};
  return { ...parameters, variables: parsed('variables', variables), extensions: parsed('extensions', extensions) };
}

function parsed(name: string, text: unknown): Parameters | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw malformed(`${name} must be given once, as an object in JSON.`);
}

function requireKnown(parameters: Parameters): Parameters {
  if (Object.keys(parameters).every((name) => KNOWN_PARAMETERS.includes(name))) return parameters;
  throw malformed(`The parameters of a request are ${KNOWN_PARAMETERS.join(', ')}, and no others.`);
}

function isObjectOrAbsent(value: unknown): value is Parameters | null | undefined {
  return value === undefined || value === null || isObject(value);
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string): HttpError {
  return new HttpError('MALFORMED_REQUEST', message);
}
