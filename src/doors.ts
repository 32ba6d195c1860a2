import type { FastifyInstance } from 'fastify';
import { authenticate } from './accounts/index.js';
import type { Core } from './app.js';
import { isGraphiqlOn, type Settings } from './config/index.js';
import { statement } from './database/index.js';
import type { RequestContext } from './graphql/context.js';
import type { Engine, EngineOptions } from './graphql/engine.js';
import type { ReportBug } from './graphql/errors.js';
import { Executor } from './graphql/executor.js';
import { limitConcurrentMutations } from './graphql/limit-concurrent-mutations.js';
import type { DocumentLimits } from './graphql/limits/operation-limits.js';
import { buildGraphqlSchema } from './graphql/schema.js';
import { securityLog, tellOfRefusedToken } from './graphql/security-log.js';
import { tellOfSuccess } from './graphql/tell-of-success.js';
import { buildServer, type TrustProxy } from './http/server.js';
import { trustAddresses } from './http/trusted-proxies.js';

const BYTES_PER_KIB = 1_024;
const READINESS = statement('readiness', 'select 1');
const ENGINE_NAMES = { yoga: 'GraphQL Yoga', apollo: 'Apollo Server' } as const satisfies Record<Settings['GRAPHQL_ENGINE'], string>;

/** The HTTP server with GraphQL, REST and the pages, on the domain that it is given; not listening yet. */
export async function buildDoors({ settings, log, database, publicUrl, accounts, groups, keys }: Core): Promise<FastifyInstance> {
  const reportBug: ReportBug = (error, requestId) => { log.error({ err: error, requestId }, 'A request met a bug'); };
  const isProduction = settings.NODE_ENV === 'production';
  const hear = securityLog(log);
  const executor = new Executor(
    tellOfSuccess(limitConcurrentMutations(buildGraphqlSchema(), settings.DATABASE_POOL), hear), { introspection: settings.INTROSPECTION ?? !isProduction, limits: limitsOf(settings) }, hear,
  );
  const makeEngine = await loadEngine(settings.GRAPHQL_ENGINE);
  return buildServer({
    executor,
    engine: await makeEngine({ executor, reportBug }),
    makeContext: async (authorization, facts): Promise<RequestContext> => {
      const actor = await authenticate(accounts, authorization);
      tellOfRefusedToken(hear, actor, facts);
      return { ...facts, actor, actorNow: () => authenticate(accounts, authorization), accounts, groups, reportBug };
    },
    jwks: () => keys.jwks(),
    requireReady: async () => { await database.read(READINESS, []); },
    publicUrl,
    running: `GraphQL is served by ${ENGINE_NAMES[settings.GRAPHQL_ENGINE]}.`,
    graphiql: isGraphiqlOn(settings),
    sendTimeoutMs: settings.SEND_TIMEOUT,
    bodyLimitBytes: settings.BODY_LIMIT_KIB * BYTES_PER_KIB,
    trustProxy: trustOf(settings.TRUST_PROXY),
    log,
    reportBug,
  });
}

/** Loads the engine that was chosen, and not the other: each costs the start time. */
async function loadEngine(name: Settings['GRAPHQL_ENGINE']): Promise<(options: EngineOptions) => Promise<Engine> | Engine> {
  switch (name) {
    case 'yoga': return (await import('./graphql/yoga.js')).yogaEngine;
    case 'apollo': return (await import('./graphql/apollo.js')).apolloEngine;
  }
}

function limitsOf(settings: Settings): DocumentLimits {
  return {
    tokens: settings.GRAPHQL_TOKENS, depth: settings.GRAPHQL_DEPTH, aliases: settings.GRAPHQL_ALIASES, directives: settings.GRAPHQL_DIRECTIVES,
    rootFields: settings.GRAPHQL_ROOT_FIELDS, cost: settings.GRAPHQL_COST,
  };
}

/** Fastify trusts nobody when it is given a number: behind so many proxies is for us to say. */
function trustOf(proxies: Settings['TRUST_PROXY']): TrustProxy {
  switch (proxies.kind) {
    case 'none': return false;
    case 'addresses': return trustAddresses(proxies.addresses);
    case 'hops': return (_address, hop) => hop < proxies.count;
  }
}
