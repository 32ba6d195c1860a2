import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { AccountsDeps, KeyStore } from './accounts/index.js';
import { isGraphiqlEnabled, type Settings } from './config/index.js';
import { requireWritable, shareConnections, type Database } from './database/index.js';
import type { ReportUnexpectedError } from './errors/index.js';
import { createDirectLane } from './graphql/engines/direct-lane.js';
import { engineOnDemand } from './graphql/engines/engine-on-demand.js';
import type { Engine, EngineOptions } from './graphql/engines/engine.js';
import { Executor } from './graphql/execution/executor.js';
import type { DocumentLimits } from './graphql/limits/operation-limits.js';
import { createMutationSlots } from './graphql/policies/limited-per-caller.js';
import { buildGraphqlSchema } from './graphql/schema.js';
import { createSecurityLogger } from './graphql/security-events/security-logger.js';
import { loadTrustedDocuments } from './graphql/trusted-documents/load-trusted-documents.js';
import { PRODUCT_DOCUMENTS } from './graphql/trusted-documents/product-documents.js';
import { TrustedDocuments } from './graphql/trusted-documents/trusted-documents.js';
import type { GroupsDeps } from './groups/index.js';
import { createTrustedProxyCheck, type PublicUrl, type TrustProxy } from './http-core/index.js';
import { buildServer } from './http/server.js';
import { readPackageVersion } from './read-package-version.js';

interface HttpServerDeps {
  readonly settings: Settings;
  readonly log: Logger;
  readonly database: Database;
  readonly publicUrl: PublicUrl;
  readonly keys: KeyStore;
  readonly accounts: AccountsDeps;
  readonly groups: GroupsDeps;
}

const BYTES_PER_KIB = 1_024;
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

  // Emits an event for each security-relevant operation and error.
  const emitSecurityEvent = createSecurityLogger(log);

  // Bounds the concurrent mutations of one caller, so that others get connections.
  const mutationSlots = createMutationSlots(shareConnections(settings.DATABASE_POOL).main);

  // REST and both engines execute operations here, with the same limits, masking and events.
  const introspection = settings.INTROSPECTION ?? settings.NODE_ENV !== 'production';
  const limits = limitsOf(settings);
  const trusted = trustedDocumentsOf(settings);
  const schema = await loadSchema(settings, introspection);
  const executor = new Executor(schema, { introspection, limits, trusted });
  const loadEngine = async (): Promise<Engine> => {
    const createEngine = await importEngine(settings.GRAPHQL_ENGINE);
    return createEngine({ executor, reportUnexpectedError });
  };

  return buildServer({
    executor,
    // Beside the direct lane, most clients need no engine.
    engine: settings.DIRECT_LANE ? engineOnDemand(loadEngine) : await loadEngine(),
    directLane: settings.DIRECT_LANE ? createDirectLane(executor) : null,
    resolverDeps: { accounts, groups, mutationSlots, emitSecurityEvent, reportUnexpectedError },
    jwks: () => keys.jwks(),
    requireReady: () => requireWritable(database),
    publicUrl,
    corsOrigins: settings.CORS_ORIGINS ?? originsOf(settings.FRONTEND_URL),
    running: describeRunning(settings),
    graphiql: isGraphiqlEnabled(settings),
    hasApp: settings.FRONTEND_URL === null,
    passwordMinLength: settings.PASSWORD_MIN_LENGTH,
    sendTimeoutMs: settings.SEND_TIMEOUT,
    bodyLimitBytes: settings.BODY_LIMIT_KIB * BYTES_PER_KIB,
    trustProxy: toTrustProxy(settings.TRUST_PROXY),
    log,
    reportUnexpectedError,
  });
}

/** Imports the federation library only when it is used, because it adds to the start time. */
async function loadSchema({ FEDERATION }: Settings, introspection: boolean): Promise<GraphQLSchema> {
  const schema = buildGraphqlSchema();
  if (!FEDERATION) return schema;
  const { toSubgraphSchema } = await import('./graphql/federation/to-subgraph-schema.js');
  return toSubgraphSchema(schema, { isSchemaPublic: introspection });
}

function trustedDocumentsOf({ TRUSTED_DOCUMENTS: folder, TRUSTED_DOCUMENTS_ONLY }: Settings): TrustedDocuments {
  const documents = [...PRODUCT_DOCUMENTS, ...(folder === null ? [] : loadTrustedDocuments(folder))];
  return new TrustedDocuments(documents, { isExclusive: TRUSTED_DOCUMENTS_ONLY });
}

/** Imports the chosen engine only, because each adds to the start time. */
async function importEngine(
  name: Settings['GRAPHQL_ENGINE'],
): Promise<(options: EngineOptions) => Promise<Engine> | Engine> {
  switch (name) {
    case 'yoga':
      return (await import('./graphql/engines/yoga-engine.js')).createYogaEngine;
    case 'apollo':
      return (await import('./graphql/engines/apollo-engine.js')).createApolloEngine;
  }
}

/** Null in production, where version and engine would tell attackers which faults to look for. */
function describeRunning({ NODE_ENV, GRAPHQL_ENGINE }: Settings): string | null {
  if (NODE_ENV === 'production') return null;
  return `Version ${readPackageVersion()}, with ${ENGINE_NAMES[GRAPHQL_ENGINE]}.`;
}

/** The origin of the front end, which may call the service by default. */
function originsOf(frontendUrl: string | null): readonly string[] {
  return frontendUrl === null ? [] : [new URL(frontendUrl).origin];
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
