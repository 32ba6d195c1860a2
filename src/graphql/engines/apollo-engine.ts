import { AsyncLocalStorage } from 'node:async_hooks';
import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import { printSchema, type GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ReportUnexpectedError } from '../../errors/index.js';
import { isPublicError, toGraphQLError, toPublicError } from '../errors/public-error.js';
import type { Executor } from '../execution/executor.js';
import { resultToJson } from '../pacing/result-json.js';
import { mountApolloServer } from './apollo-mount.js';
import type { Engine, EngineOptions, EngineRequest } from './engine.js';
import { JSON_MEDIA_TYPE, responseStatus } from './response-status.js';

interface ApolloContext {
  readonly engineRequest: EngineRequest;
}

type Options = ApolloServerOptions<ApolloContext>;
type Gateway = NonNullable<Options['gateway']>;

/** Creates an engine of Apollo Server that executes with our executor, passed as a federation gateway. */
export async function createApolloEngine({ executor, reportUnexpectedError }: EngineOptions): Promise<Engine> {
  // Apollo Server calls formatError without the request.
  const requestIds = new AsyncLocalStorage<string>();
  const apollo = new ApolloServer<ApolloContext>({
    gateway: toGateway(executor),
    // The executor has validated the document, including the rule against introspection.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // CSRF protection is for servers that authenticate by cookie. This one requires a token and accepts JSON only.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    // Apollo Server would log errors with their unmasked messages. formatError reports them.
    logger: SILENT,
    plugins: [setResponseStatus],
    stringifyResult: resultToJson,
    formatError: (_, error) => formatError(toGraphQLError(error), requestIds.getStore() ?? '', reportUnexpectedError),
  });
  await apollo.start();
  const mount = mountApolloServer(apollo, (engineRequest) => Promise.resolve({ engineRequest }));
  return {
    ...mount,
    handle: (request) => requestIds.run(request.context.requestId, () => mount.handle(request)),
  };
}

const SILENT: NonNullable<Options['logger']> = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const setResponseStatus: ApolloServerPlugin<ApolloContext> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ request, response: { body, http } }) => {
        if (body.kind === 'single')
          http.status = responseStatus(body.singleResult, request.http?.headers.get('accept') ?? JSON_MEDIA_TYPE);
        return Promise.resolve();
      },
    }),
};

function formatError(
  error: GraphQLError,
  requestId: string,
  reportUnexpectedError: ReportUnexpectedError,
): GraphQLFormattedError {
  return (isPublicError(error) ? error : toPublicError(error, requestId, reportUnexpectedError)).toJSON();
}

/** Apollo Server passes its own context to the executor of a gateway. Its types do not say so. */
function engineRequestIn(context: Record<string, unknown>): EngineRequest {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the server above has no other context
  return (context as unknown as ApolloContext).engineRequest;
}

/** Executes the resolved operation of the request, with the variables that the limits are checked with. */
function toGateway(executor: Executor): Gateway {
  return {
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: executor.schema, coreSupergraphSdl: printSchema(executor.schema) });
      return () => undefined;
    },
    load: () => Promise.resolve({ executor: ({ context }) => executor.executeOperation(engineRequestIn(context)) }),
    stop: () => Promise.resolve(),
  };
}
