import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticate } from '../../accounts/index.js';
import { authorizationOf, toRequestMetadata } from '../../http-core/index.js';
import type { RequestContext, ResolverDeps } from '../context/request-context.js';
import { emitTokenRejected } from '../security-events/security-logger.js';

declare module 'fastify' {
  interface FastifyRequest {
    convene: Promise<RequestContext> | null;
  }
}

/** Returns the context of a request, with its caller authenticated; the same promise for each call. */
export type GetRequestContext = (request: FastifyRequest) => Promise<RequestContext>;

/** Returns a function that creates the context of a request once, so that its caller is authenticated once. */
export function registerRequestContext(app: FastifyInstance, deps: ResolverDeps): GetRequestContext {
  app.decorateRequest('convene', null);
  return (request) => (request.convene ??= createContext(deps, request));
}

async function createContext(deps: ResolverDeps, request: FastifyRequest): Promise<RequestContext> {
  const authorization = authorizationOf(request);
  const reauthenticate = () => authenticate(deps.accounts, authorization);
  const authenticateGateway = () => authenticate(deps.accounts, gatewayKeyOf(request) ?? authorization);
  const actor = await reauthenticate();
  const context = { ...deps, ...toRequestMetadata(request), reauthenticate, authenticateGateway, actor };
  if (actor.kind === 'anonymous') emitTokenRejected(deps.emitSecurityEvent, { ...context, actor });
  return context;
}

/** A header of its own, because Authorization has the token of the user whose request the gateway forwards. */
function gatewayKeyOf({ raw }: FastifyRequest): readonly string[] | undefined {
  return raw.headersDistinct['convene-gateway-key']?.map((key) => `Bearer ${key}`);
}
