import type { FastifyReply } from 'fastify';
import type { DocumentNode } from 'graphql';
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

/** What Yoga gives to be executed; its own types leave it open. */
interface ExecutionArgs {
  readonly document: DocumentNode;
  readonly operationName?: string | null;
  readonly variableValues?: Readonly<Record<string, unknown>> | null;
  readonly contextValue: object;
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
    onExecute: ({ setExecuteFn, args }) => {
      const given: ExecutionArgs = args;
      const request = { operationName: given.operationName, variables: given.variableValues };
      setExecuteFn(() => executor.executeDocument(given.document, request, contextOf(given.contextValue)));
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
    onExecutionResult: (hook) => {
      const { result, request, context } = hook;
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- Yoga's types promise more than it keeps
      if (result === undefined || !('errors' in result) || result.errors === undefined) return;
      const { requestId } = contextOf(context);
      const answer = { ...result, errors: result.errors.map((error) => (isPublic(error) ? error : publicError(error, requestId, reportBug))) };
      const status = statusOfAnswer(answer, request.headers.get('accept') ?? JSON_TYPE);
      hook.setResult({ ...answer, extensions: { ...answer.extensions, http: { status } } });
    },
  };
}
