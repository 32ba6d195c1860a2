import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../graphql/context/request-context.js';
import { authorizationOf, toRequestMetadata, type RequestMetadata } from '../http-core/index.js';

declare module 'fastify' {
  interface FastifyRequest {
    convene: Promise<RequestContext> | null;
  }
}

/** Creates the context of a request's operations from every Authorization header and the metadata. */
export type ContextFactory = (authorization: readonly string[], metadata: RequestMetadata) => Promise<RequestContext>;

/** Returns a function that creates the context of a request once, so that its caller is authenticated once. */
export function registerRequestContext(
  app: FastifyInstance,
  createContext: ContextFactory,
): (request: FastifyRequest) => Promise<RequestContext> {
  app.decorateRequest('convene', null);
  return (request) => (request.convene ??= createContext(authorizationOf(request), toRequestMetadata(request)));
}
