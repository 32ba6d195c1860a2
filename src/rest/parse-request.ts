import type { FastifyRequest } from 'fastify';
import { InvalidInputError } from '../errors/index.js';
import { HttpError } from './http-error.js';
import { parseQueryString, repeatedNames } from './query-string.js';
import type { BodyKind, QueryParameters, RestRequest, RestRoute } from './route.js';

const MEDIA_TYPES: Readonly<Record<Exclude<BodyKind, 'none'>, readonly string[]>> = {
  json: ['application/json'],
  'json-or-merge-patch': ['application/json', 'application/merge-patch+json'],
  'json-or-form': ['application/json', 'application/x-www-form-urlencoded'],
};

export function requestPath(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/**
 * Parses the query of a request's URL.
 *
 * @throws HttpError `MALFORMED_REQUEST` for one that cannot be decoded
 * @throws InvalidInputError for a parameter that the path does not know, or that is repeated
 */
export function queryOf(route: RestRoute, request: FastifyRequest): QueryParameters {
  const parameters = parseQueryString(request.url);
  const repeated = repeatedNames(parameters);
  const query = Object.fromEntries(parameters);
  const problems = Object.keys(query).flatMap((field) => {
    if (!route.query.includes(field)) return [{ field, message: 'is not a query parameter of this path' }];
    return repeated.has(field) ? [{ field, message: 'must be given once' }] : [];
  });
  if (problems.length > 0) throw new InvalidInputError(problems);
  return query;
}

/** @throws HttpError `UNSUPPORTED_MEDIA_TYPE` or, for a missing body, `MALFORMED_REQUEST` */
export function parseBody(route: RestRoute, request: FastifyRequest): Readonly<Record<string, unknown>> {
  if (route.body === 'none') return {};
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const allowed = MEDIA_TYPES[route.body];
  if (type !== undefined && !allowed.includes(type)) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${allowed.join(' or ')}.`);
  }
  if (request.body === undefined || request.body === null)
    throw new HttpError('MALFORMED_REQUEST', 'The request has no body.');
  return record(request.body);
}

export function toRestRequest(
  request: FastifyRequest,
  { query, body }: Pick<RestRequest, 'query' | 'body'>,
): RestRequest {
  return {
    path: requestPath(request),
    params: texts(record(request.params)),
    query,
    body,
    ifMatch: request.headers['if-match'],
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Leaves out what is no text. */
function texts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
