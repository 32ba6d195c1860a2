import { AsyncLocalStorage } from 'node:async_hooks';
import { ApolloServer, HeaderMap, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import { printSchema, type GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Engine, EngineOptions, EngineRequest, EngineResponse } from './engine.js';
import { isPublicError, toGraphQLError, toPublicError, type ReportUnexpectedError } from './errors.js';
import type { Executor } from './executor.js';
import { resultToJson } from './load/result-json.js';
import { JSON_MEDIA_TYPE, responseStatus } from './response-status.js';

interface ApolloContext {
  readonly asked: EngineRequest;
}

type Options = ApolloServerOptions<ApolloContext>;
type Gateway = NonNullable<Options['gateway']>;
type HttpBody = Awaited<ReturnType<ApolloServer['executeHTTPGraphQLRequest']>>['body'];

/** Apollo Server, with our executor in place of its own: it takes one where a federation gateway would stand. */
export async function createApolloEngine({ executor, reportUnexpectedError }: EngineOptions): Promise<Engine> {
  // Apollo formats errors without saying which request they belong to.
  const requestIds = new AsyncLocalStorage<string>();
  const apollo = new ApolloServer<ApolloContext>({
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
    stringifyResult: resultToJson,
    formatError: (_, error) => formatted(toGraphQLError(error), requestIds.getStore() ?? '', reportUnexpectedError),
  });
  await apollo.start();
  return {
    handle: (asked) => requestIds.run(asked.context.requestId, () => run(apollo, asked)),
    stop: () => apollo.stop(),
  };
}

/** Apollo builds the response of a POST request in JSON, which needs no parsing: its body is an object. */
async function run(apollo: ApolloServer<ApolloContext>, asked: EngineRequest): Promise<EngineResponse> {
  const { query, operationName, variables, extensions, mediaType } = asked;
  const {
    status = 200,
    headers,
    body,
  } = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: 'POST',
      headers: new HeaderMap([
        ['accept', mediaType],
        ['content-type', JSON_MEDIA_TYPE],
      ]),
      search: '',
      body: { query, operationName, variables, extensions },
    },
    context: () => Promise.resolve({ asked }),
  });
  return { status, headers: Object.fromEntries(headers), body: textOf(body) };
}

function textOf(body: HttpBody): string {
  if (body.kind === 'complete') return body.string;
  throw new Error('Apollo Server answered in parts, although the schema has no @defer or @stream');
}

const SILENT: NonNullable<Options['logger']> = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const answerStatus: ApolloServerPlugin<ApolloContext> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ request, response: { body, http } }) => {
        if (body.kind === 'single')
          http.status = responseStatus(body.singleResult, request.http?.headers.get('accept') ?? JSON_MEDIA_TYPE);
        return Promise.resolve();
      },
    }),
};

function formatted(
  error: GraphQLError,
  requestId: string,
  reportUnexpectedError: ReportUnexpectedError,
): GraphQLFormattedError {
  return (isPublicError(error) ? error : toPublicError(error, requestId, reportUnexpectedError)).toJSON();
}

/** Apollo hands a gateway's executor the context of its own server, but does not say so in its types. */
function askedIn(context: Record<string, unknown>): EngineRequest {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the server above is given no other context
  return (context as unknown as ApolloContext).asked;
}

/** Runs the very operation that was found for the request, with the variables that the limits are checked with. */
function gatewayTo(executor: Executor): Gateway {
  return {
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: executor.schema, coreSupergraphSdl: printSchema(executor.schema) });
      return () => undefined;
    },
    load: () => Promise.resolve({ executor: ({ context }) => executor.executeOperation(askedIn(context)) }),
    stop: () => Promise.resolve(),
  };
}
