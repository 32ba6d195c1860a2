import type { DocumentNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Engine, EngineOptions, EngineRequest } from './engine.js';
import { isPublicError, toPublicError } from './errors.js';
import type { Executor } from './executor.js';
import { resultToJson } from './load/result-json.js';
import { JSON_MEDIA_TYPE, responseStatus } from './response-status.js';

interface ServerContext {
  readonly asked: EngineRequest;
}

/** Yoga wants a URL. It stands for every request: nothing of the client's own is in it. */
const REQUEST_URL = 'http://convene/graphql';

/** GraphQL Yoga, with our executor in place of its own parsing, validation and execution. */
export function createYogaEngine(options: EngineOptions): Engine {
  const yoga = createYoga<ServerContext>({
    schema: options.executor.schema,
    // Which paths come here is settled: Yoga would know only one spelling of it.
    graphqlEndpoint: '*',
    landingPage: false,
    graphiql: false,
    cors: false,
    batching: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    // There is no body: the request is parsed already.
    maxRequestBodySize: false,
    plugins: [useParsedRequest(), useExecutor(options.executor), useOurAnswers(options.reportUnexpectedError)],
  });
  return {
    handle: async (asked) => {
      const request = new yoga.fetchAPI.Request(REQUEST_URL, { method: 'POST', headers: { accept: asked.mediaType } });
      const response = await yoga.handleRequest(request, { asked });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
    stop: async () => {
      await yoga.dispose();
    },
  };
}

/** Replaces Yoga's own parsing of URLs and bodies. */
function useParsedRequest(): Plugin<ServerContext> {
  return {
    onRequestParse: ({ serverContext, setRequestParser }) => {
      const { query, operationName, variables, extensions } = askedIn(serverContext);
      setRequestParser(() => ({ query, variables, extensions, ...(operationName === null ? {} : { operationName }) }));
    },
  };
}

/** A document that the executor knows as valid is neither parsed nor validated again. */
function useExecutor(executor: Executor): Plugin<ServerContext> {
  return {
    onParse: ({ params, setParsedDocument }) => {
      const document = executor.documents.read(String(params.source));
      if (!('refused' in document)) setParsedDocument(document);
    },
    onValidate: ({ params, setResult }) => {
      // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- Yoga leaves it open; a document is what parsing gave
      const document: DocumentNode = params.documentAST;
      if (executor.documents.isKnown(document)) setResult([]);
    },
    // The very operation that was found for the request, with the variables that the limits are checked with.
    onExecute: ({ setExecuteFn, args }) => {
      const { contextValue }: { readonly contextValue: object } = args;
      setExecuteFn(async () => {
        const result = await executor.executeOperation(askedIn(contextValue));
        return { ...result, stringify: resultToJson };
      });
    },
  };
}

/** Yoga hands its plugins the server's context, but its types lose that in some of the hooks. */
function askedIn(context: object): EngineRequest {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the engine above hands in nothing else
  return (context as ServerContext).asked;
}

/** What failed came from the executor in its public form; from elsewhere, it is a bug. */
function useOurAnswers(reportUnexpectedError: EngineOptions['reportUnexpectedError']): Plugin<ServerContext> {
  return {
    onExecutionResult: (hook) => {
      const { result, request, context } = hook;
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- Yoga's types promise more than it keeps
      if (result === undefined || !('errors' in result) || result.errors === undefined) return;
      const { requestId } = askedIn(context).context;
      const answer = {
        ...result,
        errors: result.errors.map((error) =>
          isPublicError(error) ? error : toPublicError(error, requestId, reportUnexpectedError),
        ),
      };
      const status = responseStatus(answer, request.headers.get('accept') ?? JSON_MEDIA_TYPE);
      hook.setResult({ ...answer, extensions: { ...answer.extensions, http: { status } } });
    },
  };
}
