import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';
import { HttpError, negotiateOnce } from '../../http-core/index.js';
import { GRAPHQL_RESPONSE_MEDIA_TYPE, JSON_MEDIA_TYPE } from '../engines/response-status.js';
import { MULTIPART_ENCODING, MULTIPART_MEDIA_TYPE } from './multipart-encoding.js';
import { SSE_ENCODING, SSE_MEDIA_TYPE } from './sse-encoding.js';
import type { StreamEncoding } from './stream-encoding.js';

/** One result of this media type, or a stream of results. */
export type ResponseFormat = { readonly mediaType: string } | { readonly encoding: StreamEncoding };

type NegotiatedRequest = Pick<FastifyRequest, 'headers' | 'raw'>;

/** The first is for clients that accept any type. */
const MEDIA_TYPES = [JSON_MEDIA_TYPE, GRAPHQL_RESPONSE_MEDIA_TYPE];
const preferredType = negotiateOnce(MEDIA_TYPES.flatMap((type) => [type, `${type}; charset=utf-8`]));
/** By media type. The first is for clients that accept any type. */
const ENCODINGS: ReadonlyMap<string, StreamEncoding> = new Map([
  [SSE_MEDIA_TYPE, SSE_ENCODING],
  [MULTIPART_MEDIA_TYPE, MULTIPART_ENCODING],
]);

/**
 * Returns the format of the response to any operation but a subscription: a stream only for a client that accepts
 * nothing else.
 *
 * @throws HttpError `NOT_ACCEPTABLE`
 */
export function negotiateFormat(request: NegotiatedRequest): ResponseFormat {
  const mediaType = negotiateMediaType(request);
  if (mediaType !== null) return { mediaType };
  return findStream(request) ?? notAcceptable('This path answers in', [...MEDIA_TYPES, ...ENCODINGS.keys()]);
}

/**
 * Returns the encoding of a subscription that the client prefers.
 *
 * @throws HttpError `NOT_ACCEPTABLE`
 */
export function negotiateStream(request: NegotiatedRequest): { readonly encoding: StreamEncoding } {
  return findStream(request) ?? notAcceptable('A subscription is answered in', [...ENCODINGS.keys()]);
}

/** Returns the media type of a single result; null when the client accepts none of them. */
export function negotiateMediaType(request: NegotiatedRequest): string | null {
  const best = preferredType(request);
  return best === false ? null : (MEDIA_TYPES.find((type) => best.startsWith(type)) ?? null);
}

function findStream(request: NegotiatedRequest): { readonly encoding: StreamEncoding } | null {
  const encoding = ENCODINGS.get(String(accepts(request.raw).type([...ENCODINGS.keys()])));
  return encoding === undefined ? null : { encoding };
}

function notAcceptable(sentence: string, types: readonly string[]): never {
  throw new HttpError('NOT_ACCEPTABLE', `${sentence} ${types.slice(0, -1).join(', ')} or ${types.at(-1) ?? ''}.`);
}
