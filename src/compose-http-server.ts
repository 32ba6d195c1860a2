import type { FastifyInstance } from 'fastify';
import { authenticate } from './accounts/index.js';
import type { Core } from './app.js';
import { isGraphiqlEnabled, type Settings } from './config/index.js';
import { statement } from './database/index.js';
import type { RequestContext } from './graphql/context/request-context.js';
import type { Engine, EngineOptions } from './graphql/engines/engine.js';
import type { ReportUnexpectedError } from './graphql/errors/public-error.js';
import { Executor } from './graphql/execution/executor.js';
import { limitConcurrentMutations } from './graphql/policies/limit-concurrent-mutations.js';
import type { DocumentLimits } from './graphql/limits/operation-limits.js';
import { buildGraphqlSchema } from './graphql/schema.js';
import { createSecurityLogger, emitTokenRejected } from './graphql/security-events/security-logger.js';
import { withSuccessEvents } from './graphql/policies/audited-as.js';
import { buildServer, type TrustProxy } from './http/server.js';
import { createTrustedProxyCheck } from './http/trusted-proxies.js';

const BYTES_PER_KIB = 1_024;
const READINESS = statement('readiness', 'select 1');
const ENGINE_NAMES = { yoga: 'GraphQL Yoga', apollo: 'Apollo Server' } as const satisfies Record<
  Settings['GRAPHQL_ENGINE'],
  string
>;

/** The HTTP server with GraphQL, REST and the pages, on the domain that it is given; not listening yet. */
export async function composeHttpServer({
  settings,
  log,
  database,
  publicUrl,
  accounts,
  groups,
  keys,
}: Core): Promise<FastifyInstance> {
  const reportUnexpectedError: ReportUnexpectedError = (error, requestId) => {
    log.error({ err: error, requestId }, 'A request met a bug');
  };
  const isProduction = settings.NODE_ENV === 'production';
  const emit = createSecurityLogger(log);
  const executor = new Executor(
    withSuccessEvents(limitConcurrentMutations(buildGraphqlSchema(), settings.DATABASE_POOL), emit),
    { introspection: settings.INTROSPECTION ?? !isProduction, limits: limitsOf(settings) },
    emit,
  );
  const makeEngine = await loadEngine(settings.GRAPHQL_ENGINE);
  return buildServer({
    executor,
    engine: await makeEngine({ executor, reportUnexpectedError }),
    createContext: async (authorization, facts): Promise<RequestContext> => {
      const actor = await authenticate(accounts, authorization);
      emitTokenRejected(emit, actor, facts);
      return {
        ...facts,
        actor,
        reauthenticate: () => authenticate(accounts, authorization),
        accounts,
        groups,
        reportUnexpectedError,
      };
    },
    jwks: () => keys.jwks(),
    requireReady: async () => {
      await database.query(READINESS, []);
    },
    publicUrl,
    running: `GraphQL is served by ${ENGINE_NAMES[settings.GRAPHQL_ENGINE]}.`,
    graphiql: isGraphiqlEnabled(settings),
    sendTimeoutMs: settings.SEND_TIMEOUT,
    bodyLimitBytes: settings.BODY_LIMIT_KIB * BYTES_PER_KIB,
    trustProxy: trustOf(settings.TRUST_PROXY),
    log,
    reportUnexpectedError,
  });
}

/** Loads the engine that was chosen, and not the other: each costs the start time. */
async function loadEngine(
  name: Settings['GRAPHQL_ENGINE'],
): Promise<(options: EngineOptions) => Promise<Engine> | Engine> {
  switch (name) {
    case 'yoga':
      return (await import('./graphql/engines/yoga-engine.js')).createYogaEngine;
    case 'apollo':
      return (await import('./graphql/engines/apollo-engine.js')).createApolloEngine;
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

/** Fastify trusts nobody when it is given a number: behind so many proxies is for us to say. */
function trustOf(proxies: Settings['TRUST_PROXY']): TrustProxy {
  switch (proxies.kind) {
    case 'none':
      return false;
    case 'addresses':
      return createTrustedProxyCheck(proxies.addresses);
    case 'hops':
      return (_address, hop) => hop < proxies.count;
  }
}
