import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../graphql/context.js';
import { clientOf } from './client-of.js';

declare module 'fastify' {
  interface FastifyRequest {
    convene: Promise<RequestContext> | null;
  }
}

/** Makes what resolvers are given, from every Authorization header of a request, its id, and who sends it. */
export type MakeContext = (authorization: readonly string[], requestId: string, client: RequestContext['client']) => Promise<RequestContext>;

/** Node keeps only the first of repeated headers; here all must be seen, so that two never pass for one. */
function authorizationOf(request: FastifyRequest): readonly string[] {
  return request.raw.headersDistinct.authorization ?? [];
}

/** Finds out once who asks, however often a request wants to know. */
export function requestContexts(app: FastifyInstance, makeContext: MakeContext): (request: FastifyRequest) => Promise<RequestContext> {
  app.decorateRequest('convene', null);
  return (request) => (request.convene ??= makeContext(authorizationOf(request), request.id, clientOf(request)));
}
