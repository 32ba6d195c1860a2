import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, type GraphQLError } from 'graphql';
import type { RequestContext } from '../graphql/context.js';
import type { Engine } from '../graphql/engine.js';
import type { ReportUnexpectedError } from '../graphql/errors.js';
import type { Executor } from '../graphql/executor.js';
import { encodeInSlices } from '../graphql/load/encode-in-slices.js';
import { GRAPHQL_RESPONSE_MEDIA_TYPE, JSON_MEDIA_TYPE, responseStatus } from '../graphql/response-status.js';
import { singleResult } from '../graphql/result-stream.js';
import {
  describeError,
  HttpError,
  httpStatusOf,
  INTERNAL_ERROR,
  keepConnectionAlive,
  registerBodyParsers,
  retryHeaders,
} from '../rest/index.js';
import { acceptsEventStream, negotiateMediaType, parseGraphqlRequest } from './graphql-request.js';
import { graphiqlPage, registerGraphiqlAssets, sendPage } from './pages/index.js';
import { registerSseConnections, SSE_MEDIA_TYPE, type SseConnections } from './sse-connections.js';

export const GRAPHQL_PATH = '/graphql';

export interface GraphqlPluginOptions {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly getContext: (request: FastifyRequest) => Promise<RequestContext>;
  readonly graphiql: boolean;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/**
 * The one path of GraphQL: a browser that opens it gets GraphiQL, who takes events gets a stream of them, everything
 * else goes to the engine.
 *
 * What is wrong with a request or its document is answered here, so that it is the same with either engine.
 */
export function graphqlPlugin(options: GraphqlPluginOptions) {
  const page = graphiqlPage({ endpoint: GRAPHQL_PATH });
  return async (app: FastifyInstance): Promise<void> => {
    if (options.graphiql) await registerGraphiqlAssets(app);
    registerBodyParsers(app);
    const streams = registerSseConnections(app);
    app.route({
      method: ['GET', 'HEAD', 'POST'],
      url: GRAPHQL_PATH,
      exposeHeadRoute: false,
      errorHandler: (error, request, reply) => {
        sendError(options, error, request, reply);
      },
      handler: (request, reply) =>
        options.graphiql && wantsPage(request)
          ? sendPage(reply, page)
          : handleRequest({ ...options, streams }, request, reply),
    });
  };
}

function wantsPage(request: FastifyRequest): boolean {
  return (
    request.method !== 'POST' &&
    accepts(request.raw).type([JSON_MEDIA_TYPE, GRAPHQL_RESPONSE_MEDIA_TYPE, 'text/html']) === 'text/html'
  );
}

interface Doors extends GraphqlPluginOptions {
  readonly streams: SseConnections;
}

async function handleRequest(doors: Doors, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const mediaType = negotiateMediaType(request);
  const takesEvents = acceptsEventStream(request);
  if (mediaType === null && !takesEvents)
    throw notAcceptable(
      `This path answers in ${JSON_MEDIA_TYPE}, ${GRAPHQL_RESPONSE_MEDIA_TYPE} or ${SSE_MEDIA_TYPE}.`,
    );
  const asked = parseGraphqlRequest(request);
  const found = doors.executor.findOperation(asked.query, asked.operationName, request.id);
  reply.header('cache-control', 'no-store');
  if ('errors' in found) return sendErrors(doors, found.errors, mediaType, reply);
  const kind = found.operation.operation;
  requireMethodFor(kind, request, reply);
  const isStreamed = mediaType === null || (kind === OperationTypeNode.SUBSCRIPTION && takesEvents);
  if (!isStreamed && kind === OperationTypeNode.SUBSCRIPTION) {
    throw notAcceptable(`A subscription is answered in ${SSE_MEDIA_TYPE}.`);
  }
  const context = await doors.getContext(request);
  const operation = { ...asked, operation: found, context };
  if (isStreamed) return doors.streams.send(reply, await doors.executor.streamOperation(operation));
  const { status, headers, body } = await doors.engine.handle({ ...operation, mediaType });
  return reply
    .code(status)
    .headers(headers)
    .send(await encodeInSlices(body));
}

/** Sends why an operation cannot be run. */
function sendErrors(
  { streams }: Doors,
  errors: readonly GraphQLError[],
  mediaType: string | null,
  reply: FastifyReply,
): FastifyReply {
  if (mediaType === null) return streams.send(reply, singleResult({ errors }));
  return reply
    .code(responseStatus({ errors }, mediaType))
    .type(`${mediaType}; charset=utf-8`)
    .send(JSON.stringify({ errors }));
}

/** What changes something takes POST; what does not end is no answer to HEAD. */
function requireMethodFor(kind: OperationTypeNode, request: FastifyRequest, reply: FastifyReply): void {
  if (kind === OperationTypeNode.QUERY) return;
  const allowed = kind === OperationTypeNode.MUTATION ? ['POST'] : ['GET', 'POST'];
  if (allowed.includes(request.method)) return;
  reply.header('allow', allowed.join(', '));
  throw new HttpError('METHOD_NOT_ALLOWED', `A ${kind} takes ${allowed.join(' or ')}.`);
}

function notAcceptable(message: string): HttpError {
  return new HttpError('NOT_ACCEPTABLE', message);
}

function sendError(
  { reportUnexpectedError }: GraphqlPluginOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = describeError(error);
  if (refusal === INTERNAL_ERROR) reportUnexpectedError(error, request.id);
  const { message, code, reason } = refusal;
  return keepConnectionAlive(reply)
    .code(httpStatusOf(refusal))
    .headers(retryHeaders(refusal))
    .header('cache-control', 'no-store')
    .type(`${negotiateMediaType(request) ?? JSON_MEDIA_TYPE}; charset=utf-8`)
    .send(JSON.stringify({ errors: [{ message, extensions: { code, reason, requestId: request.id } }] }));
}
