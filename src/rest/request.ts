import type { FastifyRequest } from 'fastify';
import { InvalidInputError } from '../errors/index.js';
import { HttpError } from './http-error.js';
import type { BodyKind, RestRequest, RestRoute } from './route.js';

const MEDIA_TYPES: Readonly<Record<Exclude<BodyKind, 'none'>, readonly string[]>> = {
  json: ['application/json'],
  'json-or-merge-patch': ['application/json', 'application/merge-patch+json'],
  'json-or-form': ['application/json', 'application/x-www-form-urlencoded'],
};

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/** @throws InvalidInputError for a parameter that the path does not know, or that is repeated */
export function checkQuery(row: RestRoute, request: FastifyRequest): void {
  const problems = Object.entries(record(request.query)).flatMap(([field, value]) => {
    if (!row.query.includes(field)) return [{ field, message: 'is not a query parameter of this path' }];
    return typeof value === 'string' ? [] : [{ field, message: 'must be given once' }];
  });
  if (problems.length > 0) throw new InvalidInputError(problems);
}

/** @throws HttpError `UNSUPPORTED_MEDIA_TYPE` or, for a missing body, `MALFORMED_REQUEST` */
export function bodyOf(row: RestRoute, request: FastifyRequest): Readonly<Record<string, unknown>> {
  if (row.body === 'none') return {};
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const allowed = MEDIA_TYPES[row.body];
  if (type !== undefined && !allowed.includes(type)) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${allowed.join(' or ')}.`);
  }
  if (request.body === undefined || request.body === null) throw new HttpError('MALFORMED_REQUEST', 'The request has no body.');
  return record(request.body);
}

export function toRestRequest(request: FastifyRequest, body: Readonly<Record<string, unknown>>): RestRequest {
  return { path: pathOf(request), params: texts(record(request.params)), query: texts(record(request.query)), body };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Leaves out what is no text; a repeated query parameter was refused before. */
function texts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
