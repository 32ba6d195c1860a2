import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticate, type Actor, type ClientInfo } from '../../accounts/index.js';
import {
  authorizationOf,
  headerValues,
  idempotencyKeyOf,
  keepAddress,
  resolveClientInfo,
  type AddressedRequest,
} from '../../http-core/index.js';
import type { RequestContext, ResolverDeps } from '../context/request-context.js';
import { emitTokenRejected } from '../security-events/security-logger.js';

declare module 'fastify' {
  interface FastifyRequest {
    convene: RequestContext | Promise<RequestContext> | null;
  }
}

/** What a context reads of a request. */
export type ContextSource = AddressedRequest & Pick<FastifyRequest, 'id' | 'raw'>;

/** Returns the context of a request, with its caller authenticated; the same for each call. */
export type GetRequestContext = (request: FastifyRequest) => RequestContext | Promise<RequestContext>;

/** Returns a function that creates the context of a request once, so that its caller is authenticated once. */
export function registerRequestContext(app: FastifyInstance, deps: ResolverDeps): GetRequestContext {
  app.decorateRequest('convene', null);
  return (request) => (request.convene ??= createRequestContext(deps, request));
}

/** Creates the context of a request, with its caller authenticated. */
export function createRequestContext(
  deps: ResolverDeps,
  request: ContextSource,
): RequestContext | Promise<RequestContext> {
  const actor = authenticate(deps.accounts, authorizationOf(request));
  return actor instanceof Promise
    ? actor.then((resolved) => contextOf(deps, request, resolved))
    : contextOf(deps, request, actor);
}

function contextOf(deps: ResolverDeps, request: ContextSource, actor: Actor): RequestContext {
  const context = new HttpRequestContext(deps, request, actor);
  if (actor.kind === 'anonymous') {
    const { requestId, client } = context;
    emitTokenRejected(deps.emitSecurityEvent, { requestId, client, actor });
  }
  return context;
}

/** Computes what few operations use, such as the address of the client, when it is first read. */
class HttpRequestContext implements RequestContext {
  readonly accounts: ResolverDeps['accounts'];
  readonly groups: ResolverDeps['groups'];
  readonly mutationSlots: ResolverDeps['mutationSlots'];
  readonly emitSecurityEvent: ResolverDeps['emitSecurityEvent'];
  readonly reportUnexpectedError: ResolverDeps['reportUnexpectedError'];
  readonly actor: Actor;
  readonly request: ContextSource;
  private knownClient: ClientInfo | null = null;

  constructor(deps: ResolverDeps, request: ContextSource, actor: Actor) {
    this.accounts = deps.accounts;
    this.groups = deps.groups;
    this.mutationSlots = deps.mutationSlots;
    this.emitSecurityEvent = deps.emitSecurityEvent;
    this.reportUnexpectedError = deps.reportUnexpectedError;
    this.actor = actor;
    this.request = request;
    keepAddress(request);
  }

  get requestId(): string {
    return this.request.id;
  }

  get client(): ClientInfo {
    return (this.knownClient ??= resolveClientInfo(this.request));
  }

  get idempotencyKey(): string | null {
    return idempotencyKeyOf(this.request);
  }

  async reauthenticate(): Promise<Actor> {
    return authenticate(this.accounts, authorizationOf(this.request));
  }

  /** The key has a header of its own, because Authorization has the token of the user whose request is forwarded. */
  async authenticateGateway(): Promise<Actor> {
    const keys = headerValues(this.request.raw, 'convene-gateway-key').map((key) => `Bearer ${key}`);
    return authenticate(this.accounts, keys.length > 0 ? keys : authorizationOf(this.request));
  }
}
