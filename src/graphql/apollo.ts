import { AsyncLocalStorage } from 'node:async_hooks';
import { ApolloServer, type ApolloServerOptions } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import { GraphQLError, printSchema } from 'graphql';
import type { RequestContext } from './context.js';
import { engineError } from './engine-errors.js';
import type { Engine, EngineOptions } from './engine.js';
import type { Executor } from './executor.js';

type Gateway = NonNullable<ApolloServerOptions<RequestContext>['gateway']>;

/** Apollo Server, with our executor in place of its own: it takes one where a federation gateway would stand. */
export async function apolloEngine(options: EngineOptions): Promise<Engine> {
  // Apollo formats errors without saying which request they belong to.
  const requestIds = new AsyncLocalStorage<string>();
  const apollo = new ApolloServer<RequestContext>({
    gateway: gatewayTo(options.executor),
    introspection: options.introspection,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !options.introspection,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) =>
      engineError(asGraphQLError(formatted.message, error), requestIds.getStore() ?? '', options.reportBug).toJSON(),
  });
  await apollo.start();
  const handler = fastifyApolloHandler(apollo, { context: options.contextOf });
  return {
    handle: async (request, reply) => {
      // The integration answers with a text, or has sent a stream by itself.
      const body: unknown = await requestIds.run(request.id, () => handler.call(request.server, request, reply));
      return typeof body === 'string' ? reply.send(body) : reply;
    },
    stop: () => apollo.stop(),
  };
}

function asGraphQLError(message: string, error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError(message, { originalError: error instanceof Error ? error : new Error(String(error)) });
}

/** Apollo hands a gateway's executor the context of its own server, but does not say so in its types. */
function contextOf(context: Record<string, unknown>): RequestContext {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the server above is given no other context
  return context as unknown as RequestContext;
}

function gatewayTo(executor: Executor): Gateway {
  return {
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: executor.schema, coreSupergraphSdl: printSchema(executor.schema) });
      return () => undefined;
    },
    load: () => Promise.resolve({
      executor: ({ document, request, operationName, context }) =>
        executor.executeDocument(document, { operationName, variables: request.variables }, contextOf(context)),
    }),
    stop: () => Promise.resolve(),
  };
}
