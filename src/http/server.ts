import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { ReportUnexpectedError } from '../errors/index.js';
import type { ResolverDeps } from '../graphql/context/request-context.js';
import type { Engine } from '../graphql/engines/engine.js';
import type { Executor } from '../graphql/execution/executor.js';
import { GRAPHQL_PATH, graphqlPlugin } from '../graphql/transport/graphql-plugin.js';
import { registerRequestContext } from '../graphql/transport/register-request-context.js';
import {
  createErrorHandler,
  HttpError,
  PROBLEM_TYPES,
  requireValidTarget,
  toOriginForm,
  type PublicUrl,
  type TrustProxy,
} from '../http-core/index.js';
import { pathTemplate, restPlugin, ROUTES } from '../rest/index.js';
import { trackAllowedMethods } from './allowed-methods.js';
import { createClientErrorHandler } from './client-error-handler.js';
import { registerCompression } from './compression.js';
import { registerCors, type CorsOrigins } from './cors.js';
import { registerHealth } from './health.js';
import { OPENAPI_PATH, registerOpenApi } from './openapi.js';
import { registerGraphiql, registerPages } from './pages/index.js';
import { registerSendTimeout } from './send-timeout.js';
import { JWKS_PATH, registerWellKnown } from './well-known.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Interval at which both timeouts are checked. They end up to this much late. */
const CONNECTION_CHECK_MS = 1_000;
/** Node's own limit of a path, so that an id of any length reaches its validation. */
const MAX_PARAMETER_CHARACTERS = 16_384;
/** The id is logged. Excludes API keys and refresh tokens by their prefix, and access tokens by their length. */
const REQUEST_ID = /^(?!cv[nr]_)[\w.-]{1,64}$/;

export interface ServerOptions {
  readonly executor: Executor;
  readonly engine: Engine;
  readonly resolverDeps: ResolverDeps;
  /** Time in ms within which a client must read each MiB of a response. */
  readonly sendTimeoutMs: number;
  /** Larger bodies are rejected. */
  readonly bodyLimitBytes: number;
  readonly trustProxy: TrustProxy;
  /** Returns the public keys that verify access tokens, as a JWK Set (RFC 7517). */
  readonly jwks: () => Promise<object> | object;
  /** Rejects with an UnavailableError while the service cannot serve. */
  readonly requireReady: () => Promise<void>;
  readonly graphiql: boolean;
  /** Whether the web client is served at `/app`. */
  readonly hasApp: boolean;
  /** Shortest password that is accepted, in characters. */
  readonly passwordMinLength: number;
  readonly corsOrigins: CorsOrigins;
  readonly publicUrl: PublicUrl;
  /** One sentence that names the GraphQL engine, for the start page. */
  readonly running: string;
  readonly log: FastifyBaseLogger;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/** Creates the HTTP server with all its paths. It does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { executor, engine, publicUrl, reportUnexpectedError } = options;
  const handleError = createErrorHandler(options);
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      // `requireValidTarget` checks it and responds in the error format of the path.
      requireHostHeader: false,
    },
    rewriteUrl: (request) => publicUrl.withoutBasePath(toOriginForm(request)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARACTERS },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    clientErrorHandler: createClientErrorHandler(publicUrl),
    // A path that cannot be decoded. No hook has run.
    frameworkErrors: (error, request, reply) => {
      handleError(findTargetError(request, reply) ?? error, request, setCommonHeaders(request, reply));
    },
  });
  await registerCors(app, options.corsOrigins);
  await registerCompression(app);
  const serveAllowedMethods = trackAllowedMethods(app);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) =>
    handleError(new HttpError('NOT_FOUND', 'There is nothing at this path.'), request, reply),
  );
  const getContext = registerRequestContext(app, options.resolverDeps);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done(findTargetError(request, reply) ?? undefined);
  });
  registerSendTimeout(app, options.sendTimeoutMs);
  app.addHook('onClose', () => engine.stop());
  registerWellKnown(app, options);
  registerOpenApi(app, publicUrl);
  registerHealth(app, options.requireReady);
  const sendGraphiql = options.graphiql ? await registerGraphiql(app, { graphqlPath: GRAPHQL_PATH, publicUrl }) : null;
  await app.register(graphqlPlugin({ engine, executor, getContext, sendGraphiql, reportUnexpectedError }));
  await registerPages(app, {
    graphqlPath: GRAPHQL_PATH,
    graphiql: options.graphiql,
    hasApp: options.hasApp,
    passwordMinLength: options.passwordMinLength,
    running: options.running,
    publicUrl,
    restRoutes: ROUTES.map((route) => ({
      method: route.method,
      path: pathTemplate(route),
      summary: route.summary,
    })),
    problems: PROBLEM_TYPES,
    links: [
      { path: OPENAPI_PATH, label: 'OpenAPI', summary: 'The contract of REST, for generators of clients.' },
      { path: JWKS_PATH, label: 'Public keys', summary: 'What access tokens can be verified with.' },
      { path: '/problems', label: 'Problems', summary: 'Every reason for which a request can be refused.' },
    ],
  });
  await app.register(restPlugin({ executor, getContext, publicUrl, reportUnexpectedError }));
  serveAllowedMethods();
  return app;
}

/** Sets the headers of every response. */
function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
}

/**
 * Checks the Host and the target of a request. After an error, the connection is closed, because it is unknown which
 * service the client addresses.
 *
 * @returns null when both are valid
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

/** Returns the client's X-Request-Id if it is safe to log, or else a random id. */
function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}
