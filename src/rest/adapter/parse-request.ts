import type { FastifyRequest } from 'fastify';
import { InvalidInputError } from '../../errors/index.js';
import { bodyMediaType, HttpError, parseQueryString, repeatedNames, requestPath } from '../../http-core/index.js';
import type { BodyKind, QueryParameters, RestRequest, RestRoute } from '../routes/route.js';

const MEDIA_TYPES: Readonly<Record<Exclude<BodyKind, 'none'>, readonly string[]>> = {
  json: ['application/json'],
  'json-or-merge-patch': ['application/json', 'application/merge-patch+json'],
  'json-or-form': ['application/json', 'application/x-www-form-urlencoded'],
};

/**
 * Parses a request of a documented path.
 *
 * @throws HttpError `UNSUPPORTED_MEDIA_TYPE`, or `MALFORMED_REQUEST` for an undecodable query or a missing body
 * @throws InvalidInputError for an unknown or repeated query parameter
 */
export function parseRequest(route: RestRoute, request: FastifyRequest): RestRequest {
  const query = parseQuery(route, request.url);
  return {
    path: requestPath(request.url),
    params: textsOf(toRecord(request.params)),
    query,
    body: parseBody(route, request),
    ifMatch: request.headers['if-match'],
  };
}

function parseQuery(route: RestRoute, url: string): QueryParameters {
  const parameters = parseQueryString(url);
  const repeated = repeatedNames(parameters);
  const query = Object.fromEntries(parameters);
  const errors = Object.keys(query).flatMap((field) => {
    if (!route.query.includes(field)) return [{ field, message: 'is not a query parameter of this path' }];
    return repeated.has(field) ? [{ field, message: 'must be given once' }] : [];
  });
  if (errors.length > 0) throw new InvalidInputError(errors);
  return query;
}

function parseBody(route: RestRoute, { headers, body }: FastifyRequest): Readonly<Record<string, unknown>> {
  if (route.body === 'none') return {};
  const type = bodyMediaType(headers);
  const allowed = MEDIA_TYPES[route.body];
  if (type !== undefined && !allowed.includes(type)) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${allowed.join(' or ')}.`);
  }
  if (body === undefined || body === null) throw new HttpError('MALFORMED_REQUEST', 'The request has no body.');
  return toRecord(body);
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textsOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
