import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../graphql/context/request-context.js';
import { resolveClientInfo } from './resolve-client-info.js';

declare module 'fastify' {
  interface FastifyRequest {
    convene: Promise<RequestContext> | null;
  }
}

/** What a request says about itself, as resolvers are given it. */
export type RequestMetadata = Pick<RequestContext, 'requestId' | 'client' | 'idempotencyKey'>;

/** Makes what resolvers are given, from every Authorization header of a request and what else it says. */
export type ContextFactory = (authorization: readonly string[], metadata: RequestMetadata) => Promise<RequestContext>;

/** Node keeps only the first of repeated headers; here all must be seen, so that two never pass for one. */
function authorizationOf(request: FastifyRequest): readonly string[] {
  return request.raw.headersDistinct.authorization ?? [];
}

function toRequestMetadata(request: FastifyRequest): RequestMetadata {
  return { requestId: request.id, client: resolveClientInfo(request), idempotencyKey: idempotencyKeyOf(request) };
}

/** The IETF draft has it as a quoted string; many clients send it bare. */
function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const sent = headers['idempotency-key'];
  return sent === undefined ? null : sent.toString().replace(/^"(.*)"$/, '$1');
}

/** Finds out once who asks, however often a request wants to know. */
export function registerRequestContext(
  app: FastifyInstance,
  createContext: ContextFactory,
): (request: FastifyRequest) => Promise<RequestContext> {
  app.decorateRequest('convene', null);
  return (request) => (request.convene ??= createContext(authorizationOf(request), toRequestMetadata(request)));
}
