import { AsyncLocalStorage } from 'node:async_hooks';
import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import { type GraphQLError, type GraphQLFormattedError, printSchema } from 'graphql';
import type { RequestContext } from './context.js';
import type { Engine, EngineOptions } from './engine.js';
import { asGraphQLError, isPublic, publicError, type ReportBug } from './errors.js';
import type { Executor } from './executor.js';
import { JSON_TYPE, statusOfAnswer } from './response-status.js';

type Gateway = NonNullable<ApolloServerOptions<RequestContext>['gateway']>;

/** Apollo Server, with our executor in place of its own: it takes one where a federation gateway would stand. */
export async function apolloEngine({ executor, contextOf, reportBug }: EngineOptions): Promise<Engine> {
  // Apollo formats errors without saying which request they belong to.
  const requestIds = new AsyncLocalStorage<string>();
  const apollo = new ApolloServer<RequestContext>({
    gateway: gatewayTo(executor),
    // The executor has validated what comes here by its own rules.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // It guards servers that know callers by a cookie; ours must send a token, and is sent JSON only.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    // It would write to the console what the answer's error is reported for anyway, with whatever the message quotes.
    logger: SILENT,
    plugins: [answerStatus],
    stringifyResult: (result) => JSON.stringify(result),
    formatError: (_, error) => formatted(asGraphQLError(error), requestIds.getStore() ?? '', reportBug),
  });
  await apollo.start();
  const handler = fastifyApolloHandler(apollo, { context: contextOf });
  return {
    handle: async (request, reply) => {
      // Beforehand: a failure to tell who asks is the endpoint's to answer.
      await contextOf(request);
      // The integration answers with a text, or has sent a stream by itself.
      const body: unknown = await requestIds.run(request.id, () => handler.call(request.server, request, reply));
      return typeof body === 'string' ? reply.send(body) : reply;
    },
    stop: () => apollo.stop(),
  };
}

const SILENT: NonNullable<ApolloServerOptions<RequestContext>['logger']> = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const answerStatus: ApolloServerPlugin<RequestContext> = {
  requestDidStart: () => Promise.resolve({
    willSendResponse: ({ request, response: { body, http } }) => {
      if (body.kind === 'single') http.status = statusOfAnswer(body.singleResult, request.http?.headers.get('accept') ?? JSON_TYPE);
      return Promise.resolve();
    },
  }),
};

function formatted(error: GraphQLError, requestId: string, reportBug: ReportBug): GraphQLFormattedError {
  return (isPublic(error) ? error : publicError(error, requestId, reportBug)).toJSON();
}

/** Apollo hands a gateway's executor the context of its own server, but does not say so in its types. */
function ourContext(context: Record<string, unknown>): RequestContext {
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
        executor.executeDocument(document, { operationName, variables: request.variables }, ourContext(context)),
    }),
    stop: () => Promise.resolve(),
  };
}
