import { isIPv6, type AddressInfo } from 'node:net';
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
import { DirectRequests } from '../graphql/transport/direct-requests.js';
import { GRAPHQL_PATH, graphqlPlugin, type GraphqlPage } from '../graphql/transport/graphql-plugin.js';
import { registerRequestContext } from '../graphql/transport/register-request-context.js';
import {
  createErrorHandler,
  HttpError,
  newRequestId,
  PROBLEM_TYPES,
  requireValidTarget,
  toOriginForm,
  type PublicUrl,
  type TrustProxy,
} from '../http-core/index.js';
import { pathTemplate, restPlugin, ROUTES, TOKEN_PATH } from '../rest/index.js';
import { registerAccountPages } from './account-pages/register-account-pages.js';
import { trackAllowedMethods } from './allowed-methods.js';
import { API_REFERENCE_PATH, registerApiReference } from './api-reference/index.js';
import { createClientErrorHandler } from './client-error-handler.js';
import { registerCompression } from './compression.js';
import { registerCors, type CorsOrigins } from './cors.js';
import { registerDocs } from './docs/index.js';
import { READINESS_PATH, registerHealth } from './health.js';
import { nodeServerFactory } from './node-server.js';
import { OPENAPI_PATH, registerOpenApi } from './openapi.js';
import { graphqlLandingPage, registerGraphiql, registerPages, sendPage } from './pages/index.js';
import { refuseWhileClosing } from './refuse-while-closing.js';
import { startSendTimeout } from './send-timeout.js';
import { JWKS_PATH, registerWellKnown } from './well-known.js';

/** Node's own limit of a path, so that an id of any length reaches its validation. */
const MAX_PARAMETER_CHARACTERS = 16_384;
/** Headers of every response, beside its X-Request-Id. */
const COMMON_HEADERS = { 'x-content-type-options': 'nosniff' };

/** Pages and resources that the start page links to when the service has them. */
const START_PAGE_PAGES = [
  { path: '/app', label: 'Web client', summary: 'Log in, see your groups and invitations, and answer.' },
  { path: API_REFERENCE_PATH, label: 'API reference', summary: 'The REST paths, with examples to try.' },
  { path: '/docs', label: 'Documentation', summary: 'For client developers and operators.' },
  { path: '/problems', label: 'Problems', summary: 'Every reason for which a request can be refused.' },
];
const START_PAGE_LINKS = [
  { path: OPENAPI_PATH, label: 'OpenAPI', summary: 'The contract of REST, for generators of clients.' },
  { path: JWKS_PATH, label: 'Public keys', summary: 'What access tokens can be verified with.' },
];

export interface ServerOptions {
  readonly executor: Executor;
  readonly engine: Engine;
  readonly directLane: Engine | null;
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
  /** One sentence with the version and the GraphQL engine, for the start page; null to show neither. */
  readonly running: string | null;
  readonly log: FastifyBaseLogger;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/** Creates the HTTP server with all its paths. It does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { executor, engine, directLane, publicUrl, reportUnexpectedError } = options;
  const handleError = createErrorHandler(options);
  const sendTimeout = startSendTimeout(options.sendTimeoutMs);
  const directRequests = directRequestsOf(options);
  const app = Fastify({
    // Fastify logs mistakes of this code by it. As `loggerInstance`, each response would have two more listeners.
    childLoggerFactory: () => options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: options.bodyLimitBytes,
    serverFactory: nodeServerFactory({ directRequests, sendTimeout }),
    rewriteUrl: (request) => publicUrl.withoutBasePath(toOriginForm(request)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARACTERS },
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: 'idle',
    // `refuseWhileClosing` responds.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (request) => directRequests?.find(request)?.requestId ?? newRequestId(request),
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
  refuseWhileClosing(app);
  app.addHook('onListen', (done) => {
    for (const address of app.addresses()) options.log.info(`Server listening at ${urlOf(address)}`);
    done();
  });
  app.addHook('preClose', (done) => {
    directRequests?.stop();
    done();
  });
  app.addHook('onClose', async () => {
    sendTimeout.stop();
    await engine.stop();
  });
  registerWellKnown(app, options);
  registerOpenApi(app, publicUrl);
  registerApiReference(app, { publicUrl, openApiPath: OPENAPI_PATH, tokenPath: TOKEN_PATH });
  registerHealth(app, options.requireReady);
  const page = await graphqlPageOf(app, options);
  await app.register(
    graphqlPlugin({ engine, directLane, directRequests, executor, getContext, page, reportUnexpectedError }),
  );
  registerDocs(app, publicUrl);
  const { hasApp, passwordMinLength } = options;
  await registerAccountPages(app, { graphqlPath: GRAPHQL_PATH, publicUrl, hasApp, passwordMinLength });
  await registerPages(app, {
    graphqlPath: GRAPHQL_PATH,
    graphiql: options.graphiql,
    running: options.running,
    publicUrl,
    restRoutes: ROUTES.map((route) => ({
      method: route.method,
      path: pathTemplate(route),
      summary: route.summary,
    })),
    problems: PROBLEM_TYPES,
    healthPath: READINESS_PATH,
    pages: START_PAGE_PAGES,
    links: START_PAGE_LINKS,
  });
  await app.register(restPlugin({ executor, getContext, publicUrl, reportUnexpectedError }));
  serveAllowedMethods();
  return app;
}

/** Null when an engine answers all requests. */
function directRequestsOf(options: ServerOptions): DirectRequests | null {
  const { directLane, corsOrigins } = options;
  return directLane === null
    ? null
    : new DirectRequests({
        ...options,
        directLane,
        path: GRAPHQL_PATH,
        commonHeaders: COMMON_HEADERS,
        readsOrigin: corsOrigins.length > 0,
      });
}

/** GraphiQL, or a page that states what is at this path. */
async function graphqlPageOf(
  app: FastifyInstance,
  { graphiql, publicUrl }: Pick<ServerOptions, 'graphiql' | 'publicUrl'>,
): Promise<GraphqlPage> {
  const context = { graphqlPath: GRAPHQL_PATH, publicUrl };
  if (graphiql) return { send: await registerGraphiql(app, context), showsOperations: true };
  const page = graphqlLandingPage(context);
  return { send: (reply) => sendPage(reply, page), showsOperations: false };
}

/** Replaces the compilers of JSON schemas, which add to the start time. No route has a schema for Fastify. */
function noSchemas(): never {
  throw new Error('Schemas of routes are not compiled');
}

function urlOf(bound: AddressInfo | string): string {
  // A text is the path of a socket.
  if (typeof bound === 'string') return bound;
  const { address, port } = bound;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${String(port)}`;
}

/** Sets the headers of every response. */
function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers({ 'x-request-id': request.id, ...COMMON_HEADERS });
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
