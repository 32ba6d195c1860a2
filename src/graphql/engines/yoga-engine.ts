import type { DocumentNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { isPublicError, toPublicError } from '../errors/public-error.js';
import type { Executor } from '../execution/executor.js';
import { resultToJson } from '../pacing/result-json.js';
import type { Engine, EngineOptions, EngineRequest } from './engine.js';
import { JSON_MEDIA_TYPE, responseStatus } from './response-status.js';

interface ServerContext {
  readonly engineRequest: EngineRequest;
}

/** Yoga requires a URL. All requests have this one, so it contains no input of the client. */
const REQUEST_URL = 'http://convene/graphql';

/** Creates an engine of GraphQL Yoga that parses, validates and executes with our executor. */
export function createYogaEngine(options: EngineOptions): Engine {
  const yoga = createYoga<ServerContext>({
    schema: options.executor.schema,
    // The HTTP server has matched the path already, with its own rules.
    graphqlEndpoint: '*',
    landingPage: false,
    graphiql: false,
    cors: false,
    batching: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    // The request has no body, because it is parsed already.
    maxRequestBodySize: false,
    plugins: [useParsedRequest(), useExecutor(options.executor), usePublicResult(options.reportUnexpectedError)],
  });
  return {
    handle: async (engineRequest) => {
      const { mediaType } = engineRequest;
      const request = new yoga.fetchAPI.Request(REQUEST_URL, { method: 'POST', headers: { accept: mediaType } });
      const response = await yoga.handleRequest(request, { engineRequest });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
    stop: async () => {
      await yoga.dispose();
    },
  };
}

/** Replaces Yoga's parsing of URLs and bodies. */
function useParsedRequest(): Plugin<ServerContext> {
  return {
    onRequestParse: ({ serverContext, setRequestParser }) => {
      const { query, operationName, variables, extensions } = engineRequestIn(serverContext);
      setRequestParser(() => ({ query, variables, extensions, ...(operationName === null ? {} : { operationName }) }));
    },
  };
}

/** Takes parsed and validated documents from the executor's cache, and executes the resolved operation. */
function useExecutor(executor: Executor): Plugin<ServerContext> {
  return {
    onParse: ({ context, setParsedDocument }) => {
      setParsedDocument(engineRequestIn(context).operation.document);
    },
    onValidate: ({ params, setResult }) => {
      // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- Yoga types a parsed document as any
      const document: DocumentNode = params.documentAST;
      if (executor.documents.isKnown(document)) setResult([]);
    },
    // Executes with the variables that the limits are checked with.
    onExecute: ({ setExecuteFn, args }) => {
      const { contextValue }: { readonly contextValue: object } = args;
      setExecuteFn(async () => {
        const result = await executor.executeOperation(engineRequestIn(contextValue));
        return { ...result, stringify: resultToJson };
      });
    },
  };
}

/** Yoga passes the server's context to its plugins. The types of some hooks do not say so. */
function engineRequestIn(context: object): EngineRequest {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the engine above passes no other context
  return (context as ServerContext).engineRequest;
}

/** Sets the status, and masks errors that are not in their public form, because the executor has not returned them. */
function usePublicResult(reportUnexpectedError: EngineOptions['reportUnexpectedError']): Plugin<ServerContext> {
  return {
    onExecutionResult: (hook) => {
      const { result, request, context } = hook;
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- Yoga's types exclude undefined wrongly
      if (result === undefined || !('errors' in result) || result.errors === undefined) return;
      const { requestId } = engineRequestIn(context).context;
      const publicResult = {
        ...result,
        errors: result.errors.map((error) =>
          isPublicError(error) ? error : toPublicError(error, requestId, reportUnexpectedError),
        ),
      };
      const status = responseStatus(publicResult, request.headers.get('accept') ?? JSON_MEDIA_TYPE);
      hook.setResult({ ...publicResult, extensions: { ...publicResult.extensions, http: { status } } });
    },
  };
}
