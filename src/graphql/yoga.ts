import type { FastifyReply, FastifyRequest } from 'fastify';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { RequestContext } from './context.js';
import type { Engine, EngineOptions } from './engine.js';
import { isPublic, publicError } from './errors.js';
import type { Executor } from './executor.js';
import { JSON_TYPE, statusOfAnswer } from './response-status.js';

interface ServerContext {
  readonly ours: RequestContext;
}

/** GraphQL Yoga, with our executor in place of its own parsing, validation and execution. */
export function yogaEngine(options: EngineOptions): Engine {
  const yoga = createYoga<ServerContext>({
    schema: options.executor.schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    cors: false,
    batching: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    plugins: [useExecutor(options.executor), useOurAnswers(options.reportBug)],
  });
  return {
    handle: async (request, reply) => {
      const ours = await options.contextOf(request);
      const response = await yoga.handleNodeRequestAndResponse(request, reply, { ours });
      return sendResponse(response, reply);
    },
    stop: async () => { await yoga.dispose(); },
  };
}

async function sendResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  response.headers.forEach((value, name) => { reply.header(name, value); });
  reply.code(response.status);
  return reply.send(response.body === null ? undefined : response.body);
}

/** A document that the executor knows as valid is neither parsed nor validated again. */
function useExecutor(executor: Executor): Plugin<ServerContext> {
  return {
    onParse: ({ params, setParsedDocument }) => {
      const document = executor.documents.read(String(params.source));
      if (!('refused' in document)) setParsedDocument(document);
    },
    onValidate: ({ params, setResult }) => {
      if (executor.documents.isKnown(params.documentAST)) setResult([]);
    },
    onExecute: ({ setExecuteFn, args }) => {
      setExecuteFn(() => executor.executeDocument(args.document, { operationName: args.operationName, variables: args.variableValues }, contextOf(args.contextValue)));
    },
  };
}

/** Yoga hands its plugins the server's context, but its types lose that in some of the hooks. */
function contextOf(context: object): RequestContext {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the engine above hands in nothing else
  return (context as ServerContext).ours;
}

/** What failed came from the executor in its public form; from elsewhere, it is a bug. */
function useOurAnswers(reportBug: EngineOptions['reportBug']): Plugin<ServerContext> {
  return {
    onExecutionResult: ({ result, setResult, request, context }) => {
      if (result === undefined || !('errors' in result) || result.errors === undefined) return;
      const { requestId } = contextOf(context);
      const answer = { ...result, errors: result.errors.map((error) => (isPublic(error) ? error : publicError(error, requestId, reportBug))) };
      const status = statusOfAnswer(answer, request.headers.get('accept') ?? JSON_TYPE);
      setResult({ ...answer, extensions: { ...answer.extensions, http: { status } } });
    },
  };
}
