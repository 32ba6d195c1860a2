import type { FastifyInstance } from 'fastify';
import { authenticate } from './accounts/index.js';
import type { Core } from './app.js';
import { isGraphiqlEnabled, type Settings } from './config/index.js';
import { statement } from './database/index.js';
import type { RequestContext } from './graphql/context/request-context.js';
import type { Engine, EngineOptions } from './graphql/engines/engine.js';
import type { ReportUnexpectedError } from './graphql/errors/public-error.js';
import { Executor } from './graphql/execution/executor.js';
import type { DocumentLimits } from './graphql/limits/operation-limits.js';
import { createMutationSlots } from './graphql/policies/limited-per-caller.js';
import { buildGraphqlSchema } from './graphql/schema.js';
import { createSecurityLogger, emitTokenRejected } from './graphql/security-events/security-logger.js';
import { buildServer, type TrustProxy } from './http/server.js';
import { createTrustedProxyCheck } from './http/trusted-proxies.js';

const BYTES_PER_KIB = 1_024;
const READINESS = statement('readiness', 'select 1');
const ENGINE_NAMES = { yoga: 'GraphQL Yoga', apollo: 'Apollo Server' } as const satisfies Record<
  Settings['GRAPHQL_ENGINE'],
  string
>;

/** Composes the HTTP server (GraphQL, REST, pages) on the core. Does not listen yet. */
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
    log.error({ err: error, requestId }, 'Unexpected error while handling a request');
  };
  const isProduction = settings.NODE_ENV === 'production';
  const emitSecurityEvent = createSecurityLogger(log);
  const mutationSlots = createMutationSlots(settings.DATABASE_POOL);
  const executor = new Executor(buildGraphqlSchema(), {
    introspection: settings.INTROSPECTION ?? !isProduction,
    limits: limitsOf(settings),
  });
  const makeEngine = await loadEngine(settings.GRAPHQL_ENGINE);
  return buildServer({
    executor,
    engine: await makeEngine({ executor, reportUnexpectedError }),
    createContext: async (authorization, metadata): Promise<RequestContext> => {
      const actor = await authenticate(accounts, authorization);
      if (actor.kind === 'anonymous') emitTokenRejected(emitSecurityEvent, { ...metadata, actor });
      return {
        ...metadata,
        actor,
        reauthenticate: () => authenticate(accounts, authorization),
        accounts,
        groups,
        mutationSlots,
        emitSecurityEvent,
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

/** Imports the chosen engine only, because each adds to the start time. */
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

/** A function for a number of hops, because Fastify trusts no proxy when it is given a number. */
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
