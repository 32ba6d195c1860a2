import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { RequestContext } from '../graphql/context.js';
import type { Engine } from '../graphql/engine.js';
import type { ReportBug } from '../graphql/errors.js';
import type { Executor } from '../graphql/executor.js';
import { restPlugin, ROUTES } from '../rest/index.js';
import { GRAPHQL_PATH, graphqlEndpoint } from './graphql-endpoint.js';
import { registerPages } from './pages/index.js';
import { type MakeContext, requestContexts } from './request-context.js';

const BODY_LIMIT_BYTES = 100 * 1_024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const REQUEST_ID = /^[\w.-]{1,64}$/;

export interface ServerOptions {
  readonly executor: Executor;
  /** Made with the function that tells who asks. */
  readonly makeEngine: (contextOf: (request: FastifyRequest) => Promise<RequestContext>) => Promise<Engine> | Engine;
  readonly makeContext: MakeContext;
  /** The public keys that tokens can be verified with, as RFC 7517 has them. */
  readonly jwks: () => Promise<object> | object;
  readonly graphiql: boolean;
  /** Where visitors reach the service, without a slash at its end. */
  readonly publicUrl: string;
  /** One sentence of what is running. */
  readonly running: string;
  readonly log: FastifyBaseLogger;
  readonly reportBug: ReportBug;
}

/** The HTTP server with everything that it serves; not listening yet. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
  });
  const contextOf = requestContexts(app, options.makeContext);
  const engine = await options.makeEngine(contextOf);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    done();
  });
  app.addHook('onClose', () => engine.stop());
  app.get('/.well-known/jwks.json', { exposeHeadRoute: true }, async (_, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(await options.jwks()));
  await app.register(graphqlEndpoint({ engine, graphiql: options.graphiql, reportBug: options.reportBug }));
  await registerPages(app, {
    graphqlEndpoint: GRAPHQL_PATH,
    graphiql: options.graphiql,
    running: options.running,
    publicUrl: options.publicUrl,
    restRoutes: ROUTES.map(({ method, path, does }) => ({ method, path: path.replaceAll(/:(\w+)/g, '{$1}'), does })),
    links: [{ href: '/.well-known/jwks.json', label: 'Public keys', does: 'What access tokens can be verified with.' }],
  });
  await app.register(restPlugin({ executor: options.executor, contextOf, reportBug: options.reportBug }));
  return app;
}

/** A caller's own id is kept where it cannot harm a log line. */
function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
