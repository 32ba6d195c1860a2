import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { authenticate, type AccountsDeps, type KeyStore } from './accounts/index.js';
import { isGraphiqlEnabled, type Settings } from './config/index.js';
import { statement, type Database } from './database/index.js';
import type { ReportUnexpectedError } from './errors/index.js';
import type { Engine, EngineOptions } from './graphql/engine.js';
import { Executor } from './graphql/executor.js';
import { limitConcurrentMutations } from './graphql/limit-concurrent-mutations.js';
import type { DocumentLimits } from './graphql/limits/operation-limits.js';
import { buildGraphqlSchema } from './graphql/schema.js';
import { createSecurityLogger, emitTokenRejected } from './graphql/security-logger.js';
import { withSuccessEvents } from './graphql/with-success-events.js';
import type { GroupsDeps } from './groups/index.js';
import { createTrustedProxyCheck, type TrustProxy } from './http-core/index.js';
import type { ContextFactory } from './http/request-context.js';
import { buildServer } from './http/server.js';

interface HttpServerDeps {
  readonly settings: Settings;
  readonly log: Logger;
  readonly database: Database;
  readonly publicUrl: string;
  readonly keys: KeyStore;
  readonly accounts: AccountsDeps;
  readonly groups: GroupsDeps;
}

const BYTES_PER_KIB = 1_024;
const READINESS = statement('readiness', 'select 1');
const ENGINE_NAMES = { yoga: 'GraphQL Yoga', apollo: 'Apollo Server' } as const satisfies Record<
  Settings['GRAPHQL_ENGINE'],
  string
>;

/** Creates the HTTP server with GraphQL, REST and the pages on top of the domain. It does not listen yet. */
export async function composeHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const { settings, log, database, publicUrl, accounts, groups, keys } = deps;
  const reportUnexpectedError: ReportUnexpectedError = (error, requestId) => {
    log.error({ err: error, requestId }, 'Unexpected error while handling a request');
  };
  const emit = createSecurityLogger(log);

  // Successful mutations emit security events. The mutations of one caller are bounded, so that others get connections.
  const schema = withSuccessEvents(limitConcurrentMutations(buildGraphqlSchema(), settings.DATABASE_POOL), emit);

  // REST and both engines execute operations here, with the same limits, masking and events.
  const introspection = settings.INTROSPECTION ?? settings.NODE_ENV !== 'production';
  const executor = new Executor(schema, { introspection, limits: limitsOf(settings) }, emit);
  const createEngine = await loadEngine(settings.GRAPHQL_ENGINE);
  const engine = await createEngine({ executor, reportUnexpectedError });

  // Authenticates the caller once for each request, and again for long subscriptions and lists.
  const createContext: ContextFactory = async (authorization, metadata) => {
    const actor = await authenticate(accounts, authorization);
    emitTokenRejected(emit, actor, metadata);
    const reauthenticate = () => authenticate(accounts, authorization);
    return { ...metadata, actor, reauthenticate, accounts, groups, reportUnexpectedError };
  };

  return buildServer({
    executor,
    engine,
    createContext,
    jwks: () => keys.jwks(),
    requireReady: async () => {
      await database.query(READINESS, []);
    },
    publicUrl,
    running: `GraphQL is served by ${ENGINE_NAMES[settings.GRAPHQL_ENGINE]}.`,
    graphiql: isGraphiqlEnabled(settings),
    sendTimeoutMs: settings.SEND_TIMEOUT,
    bodyLimitBytes: settings.BODY_LIMIT_KIB * BYTES_PER_KIB,
    trustProxy: toTrustProxy(settings.TRUST_PROXY),
    log,
    reportUnexpectedError,
  });
}

/** Loads only the configured engine, because loading each engine takes start time. */
async function loadEngine(
  name: Settings['GRAPHQL_ENGINE'],
): Promise<(options: EngineOptions) => Promise<Engine> | Engine> {
  switch (name) {
    case 'yoga':
      return (await import('./graphql/yoga.js')).createYogaEngine;
    case 'apollo':
      return (await import('./graphql/apollo.js')).createApolloEngine;
  }
}

function limitsOf(settings: Settings): DocumentLimits {
  return {
    tokens: settings.GRAPHQL_TOKENS,
    depth: settings.GRAPHQL_DEPTH,
    aliases: settings.GRAPHQL_ALIASES,
    directives: settings.GRAPHQL_DIRECTIVES,
    rootFields: settings.GRAPHQL_ROOT_FIELDS,
    cost: settings.GRAPHQL_COST,
  };
}

/** Fastify trusts no proxy when `trustProxy` is a number, so hops are counted by a function. */
function toTrustProxy(proxies: Settings['TRUST_PROXY']): TrustProxy {
  switch (proxies.kind) {
    case 'none':
      return false;
    case 'addresses':
      return createTrustedProxyCheck(proxies.addresses);
    case 'hops':
      return (_address, hop) => hop < proxies.count;
  }
}
