import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import type { GraphQLSchema } from 'graphql';
import { pino } from 'pino';
import type { ResolverDeps } from '../../../src/graphql/context/request-context.js';
import { mountApolloServer } from '../../../src/graphql/engines/apollo-mount.js';
import type { Engine } from '../../../src/graphql/engines/engine.js';
import { Executor } from '../../../src/graphql/execution/executor.js';
import { GRAPHQL_PATH } from '../../../src/graphql/transport/graphql-plugin.js';
import { PublicUrl } from '../../../src/http-core/index.js';
import { buildServer } from '../../../src/http/server.js';

/** Wide enough for every document of the suite, some of which are large. */
const LIMITS = { tokens: 10_000, depth: 100, aliases: 1_000, directives: 1_000, rootFields: 1_000, cost: 1e9 };
const SEND_TIMEOUT_MS = 30_000;
const BODY_LIMIT_BYTES = 102_400;

/** Serves an Apollo Server of the suite, with its schema and options, at the endpoint of the product. */
defineIntegrationTestSuite(async (config, options) => {
  const schemas: GraphQLSchema[] = [];
  const server = new ApolloServer({ ...config, plugins: [...(config.plugins ?? []), collectSchemas(schemas)] });
  await server.start();
  const app = await createHttpServer(
    mountApolloServer(server, options?.context ?? (() => Promise.resolve({}))),
    executorOf(schemas),
  );
  const url = await app.listen({ port: 0 });
  return { server, url: url + GRAPHQL_PATH, extraCleanup: () => app.close() };
});

/** Adds each schema that the server serves, the current one last. */
function collectSchemas(schemas: GraphQLSchema[]): ApolloServerPlugin {
  const hooks = {
    schemaDidLoadOrUpdate: ({ apiSchema }: { readonly apiSchema: GraphQLSchema }) => void schemas.push(apiSchema),
  };
  return { serverWillStart: () => Promise.resolve(hooks) };
}

/** Executes with the current schema. That of the product never changes, that of a gateway can. */
function executorOf(schemas: readonly GraphQLSchema[]): Executor {
  const executors = new Map<GraphQLSchema, Executor>();
  const current = (): Executor => {
    const schema = schemas.at(-1)!;
    const executor = executors.get(schema) ?? new Executor(schema, { introspection: true, limits: LIMITS });
    executors.set(schema, executor);
    return executor;
  };
  return new Proxy(current(), {
    get: (_, name) => {
      const member: unknown = Reflect.get(current(), name);
      return typeof member === 'function' ? member.bind(current()) : member;
    },
  });
}

/** The HTTP server of the product, with all its paths. The callers of the suite are anonymous. */
function createHttpServer(engine: Engine, executor: Executor) {
  const reportUnexpectedError = (): undefined => undefined;
  return buildServer({
    engine,
    executor,
    resolverDeps: { emitSecurityEvent: () => undefined, reportUnexpectedError } as unknown as ResolverDeps,
    sendTimeoutMs: SEND_TIMEOUT_MS,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    trustProxy: false,
    jwks: () => ({ keys: [] }),
    requireReady: () => Promise.resolve(),
    directLane: null,
    graphiql: true,
    hasApp: false,
    passwordMinLength: 10,
    corsOrigins: [],
    publicUrl: new PublicUrl('http://localhost'),
    running: '',
    log: pino({ level: 'silent' }),
    reportUnexpectedError,
  });
}
