import type { RestRoute } from '../routes/route.js';
import type { JsonObject } from './json-schema.js';

type ResponseHeader =
  'ETag' | 'Link' | 'Location' | 'RateLimit' | 'RateLimit-Policy' | 'Retry-After' | 'WWW-Authenticate' | 'X-Request-Id';

/** The headers that the responses of the document refer to. */
export const RESPONSE_HEADERS: Readonly<Record<ResponseHeader, JsonObject>> = {
  ETag: optional('The entity tag: of PATCH the revision of the member, of GET a weak tag of the body.', {
    pattern: String.raw`^(W/)?"[\x21\x23-\x7e]+"$`,
    examples: ['"3"', 'W/"5f-2jmj7l5rSw0yVb"'],
  }),
  Link: optional('The next page (RFC 8288). Absent on the last page.', {
    pattern: '^<[^>]+>; rel="next"$',
    examples: ['</api/groups/0198f3b0-11aa-7c3e-8d4f-5b6a7c8d9e01/members?limit=100&cursor=MjAyNg>; rel="next"'],
  }),
  Location: required('The path of the profile of the account.', {
    format: 'uri-reference',
    examples: ['/api/auth/me'],
  }),
  RateLimit: optional('The exceeded limit (draft-ietf-httpapi-ratelimit-headers).', {
    pattern: '^"[a-z-]+";r=0;t=[1-9][0-9]*$',
    examples: ['"login";r=0;t=900'],
  }),
  'RateLimit-Policy': optional('The quota of the exceeded limit, with its window in seconds or its unit.', {
    pattern: '^"[a-z-]+";q=[0-9]+;(w=[0-9]+|qu="concurrent-requests")$',
    examples: ['"login";q=10;w=900', '"large-operations";q=20;qu="concurrent-requests"'],
  }),
  'Retry-After': required('The number of seconds after which the request may be repeated.', {
    pattern: '^[1-9][0-9]*$',
    examples: ['900'],
  }),
  'WWW-Authenticate': required('`Bearer`, with an error when the request had a token (RFC 6750, section 3).', {
    enum: ['Bearer', 'Bearer error="invalid_token"'],
  }),
  'X-Request-Id': required(
    "The id of the request in the log: the caller's when it is safe to log, or else a new one.",
    {
      pattern: String.raw`^[\w.-]{1,64}$`,
      examples: ['5b2f4c1e-8d0a-4f3b-9c7e-1a2b3c4d5e6f'],
    },
  ),
};

/** Returns the headers of a successful response, by reference. */
export function successHeaders(route: RestRoute): JsonObject {
  return headerReferences([
    'X-Request-Id',
    ...(route.success === 201 ? (['Location'] as const) : []),
    ...(route.isRevalidated || 'If-Match' in route.headers ? (['ETag'] as const) : []),
    ...(route.list === null ? [] : (['Link'] as const)),
  ]);
}

/** Returns the headers of a response without a body because the stored one is current, by reference. */
export function notModifiedHeaders(): JsonObject {
  return headerReferences(['X-Request-Id', 'ETag']);
}

/** Returns the headers of an error, by reference. */
export function errorHeaders(status: number): JsonObject {
  return headerReferences([
    'X-Request-Id',
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 429 ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ]);
}

function headerReferences(names: readonly ResponseHeader[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function required(description: string, schema: JsonObject): JsonObject {
  return { description, required: true, schema: { type: 'string', ...schema } };
}

function optional(description: string, schema: JsonObject): JsonObject {
  return { description, schema: { type: 'string', ...schema } };
}
