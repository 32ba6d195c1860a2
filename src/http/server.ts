import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Engine } from '../graphql/engines/engine.js';
import type { ReportUnexpectedError } from '../graphql/errors/public-error.js';
import type { Executor } from '../graphql/execution/executor.js';
import { createErrorHandler, HttpError, PROBLEM_TYPES, restPlugin, ROUTES } from '../rest/index.js';
import { trackAllowedMethods } from './allowed-methods.js';
import { handleClientError } from './client-error-handler.js';
import { GRAPHQL_PATH, graphqlPlugin } from './graphql-plugin.js';
import { registerHealth } from './health.js';
import { registerPages } from './pages/index.js';
import { registerRequestContext, type ContextFactory } from './request-context.js';
import { requireValidTarget, toOriginForm } from './request-target.js';
import { registerSendTimeout } from './send-timeout.js';
import { JWKS_PATH, registerWellKnown } from './well-known.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often both timeouts are looked after; they end up to this much late. */
const CONNECTION_CHECK_MS = 1_000;
/** Ids that are too long are wrong for what they are; a path cannot be longer than Node reads. */
const MAX_PARAMETER_CHARACTERS = 16_384;
/** A key or a token that is sent in its place would be logged; those that are not named here are longer. */
const REQUEST_ID = /^(?!cv[nr]_)[\w.-]{1,64}$/;

/** Which proxies may say for whom they send a request: none, or what a function of address and distance says. */
export type TrustProxy = false | ((address: string | undefined, hop: number) => boolean);

export interface ServerOptions {
  readonly executor: Executor;
  readonly engine: Engine;
  readonly createContext: ContextFactory;
  /** How long a client may take nothing of what is sent to it, in ms. */
  readonly sendTimeoutMs: number;
  /** Larger bodies are refused. */
  readonly bodyLimitBytes: number;
  readonly trustProxy: TrustProxy;
  /** The public keys that tokens can be verified with, as RFC 7517 has them. */
  readonly jwks: () => Promise<object> | object;
  /** Throws an UnavailableError while the service cannot serve. */
  readonly requireReady: () => Promise<void>;
  readonly graphiql: boolean;
  /** Where visitors reach the service, without a slash at its end. */
  readonly publicUrl: string;
  /** One sentence of what is running. */
  readonly running: string;
  readonly log: FastifyBaseLogger;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/** The HTTP server with everything that it serves; not listening yet. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { executor, engine, reportUnexpectedError } = options;
  const refuse = createErrorHandler(reportUnexpectedError);
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      // `requireValidTarget` does it, in the shape of the path's errors.
      requireHostHeader: false,
    },
    rewriteUrl: toOriginForm,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARACTERS },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    clientErrorHandler: handleClientError,
    // A path that cannot be decoded; no hook has run.
    frameworkErrors: (error, request, reply) => {
      refuse(findTargetError(request, reply) ?? error, request, identify(request, reply));
    },
  });
  const serveAllowedMethods = trackAllowedMethods(app);
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) =>
    refuse(new HttpError('NOT_FOUND', 'There is nothing at this path.'), request, reply),
  );
  const getContext = registerRequestContext(app, options.createContext);
  app.addHook('onRequest', (request, reply, done) => {
    identify(request, reply);
    done(findTargetError(request, reply) ?? undefined);
  });
  registerSendTimeout(app, options.sendTimeoutMs);
  app.addHook('onClose', () => engine.stop());
  registerWellKnown(app, options);
  registerHealth(app, options.requireReady);
  await app.register(
    graphqlPlugin({ engine, executor, getContext, graphiql: options.graphiql, reportUnexpectedError }),
  );
  await registerPages(app, {
    graphqlEndpoint: GRAPHQL_PATH,
    graphiql: options.graphiql,
    running: options.running,
    publicUrl: options.publicUrl,
    restRoutes: ROUTES.map(({ method, path, summary }) => ({
      method,
      path: path.replaceAll(/:(\w+)/g, '{$1}'),
      does: summary,
    })),
    problems: PROBLEM_TYPES,
    links: [
      { href: JWKS_PATH, label: 'Public keys', does: 'What access tokens can be verified with.' },
      { href: '/problems', label: 'Problems', does: 'Every reason for which a request can be refused.' },
    ],
  });
  await app.register(restPlugin({ executor, getContext, reportUnexpectedError }));
  serveAllowedMethods();
  return app;
}

/** What every answer carries. */
function identify(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
}

/**
 * Finds what is wrong with the Host or the target of a request, and has the connection closed after the error, because it
 * is unknown which service the client means.
 *
 * @returns null for nothing
 */
function findTargetError({ raw }: FastifyRequest, reply: FastifyReply): HttpError | null {
  try {
    requireValidTarget(raw);
    return null;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    reply.raw.shouldKeepAlive = false;
    return error;
  }
}

/** A caller's own id is kept where it cannot harm a log line. */
function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
