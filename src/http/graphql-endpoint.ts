import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../graphql/engine.js';
import type { ReportBug } from '../graphql/errors.js';
import type { Executor } from '../graphql/executor.js';
import { GRAPHQL_RESPONSE_JSON, JSON_TYPE, statusOfAnswer } from '../graphql/response-status.js';
import { HttpError, INTERNAL, readBodies, refusalOf, retryHeaders, statusOf } from '../rest/index.js';
import { findMediaType, readGraphqlRequest } from './graphql-request.js';
import { EXAMPLE_OPERATIONS, graphiqlPage, registerGraphiqlAssets, sendPage } from './pages/index.js';

export const GRAPHQL_PATH = '/graphql';

export interface GraphqlEndpointOptions {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly graphiql: boolean;
  readonly reportBug: ReportBug;
}

/**
 * The one path of GraphQL: a browser that opens it gets GraphiQL, everything else goes to the engine.
 *
 * What is wrong with a request or its document is answered here, so that it is the same with either engine.
 */
export function graphqlEndpoint(options: GraphqlEndpointOptions) {
  const page = graphiqlPage({ endpoint: GRAPHQL_PATH, tabs: EXAMPLE_OPERATIONS });
  return async (app: FastifyInstance): Promise<void> => {
    if (options.graphiql) await registerGraphiqlAssets(app);
    readBodies(app);
    app.route({
      method: ['GET', 'HEAD', 'POST'],
      url: GRAPHQL_PATH,
      exposeHeadRoute: false,
      errorHandler: (error, request, reply) => refuse(options, error, request, reply),
      handler: (request, reply) => (options.graphiql && wantsPage(request) ? sendPage(reply, page) : answer(options, request, reply)),
    });
  };
}

function wantsPage(request: FastifyRequest): boolean {
  return request.method !== 'POST' && accepts(request.raw).type([JSON_TYPE, GRAPHQL_RESPONSE_JSON, 'text/html']) === 'text/html';
}

async function answer({ engine, executor }: GraphqlEndpointOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const mediaType = findMediaType(request);
  if (mediaType === null) throw new HttpError('NOT_ACCEPTABLE', `This path answers in ${JSON_TYPE} or ${GRAPHQL_RESPONSE_JSON}.`);
  // The engines weigh what a client accepts each in its own way.
  request.headers.accept = mediaType;
  const { query, operationName } = readGraphqlRequest(request);
  const found = executor.findOperation(query, operationName, request.id);
  reply.header('cache-control', 'no-store');
  if ('errors' in found) {
    return reply.code(statusOfAnswer(found, mediaType)).type(`${mediaType}; charset=utf-8`).send(JSON.stringify({ errors: found.errors }));
  }
  if (found.operation.operation !== 'query' && request.method !== 'POST') {
    reply.header('allow', 'POST');
    throw new HttpError('METHOD_NOT_ALLOWED', 'Only a query can be sent by GET; anything else takes POST.');
  }
  // Neither engine knows HEAD; Node leaves out the body all the same.
  if (request.method === 'HEAD') request.raw.method = 'GET';
  return engine.handle(request, reply);
}

function refuse({ reportBug }: GraphqlEndpointOptions, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal === INTERNAL) reportBug(error, request.id);
  const { message, code, reason } = refusal;
  return reply.code(statusOf(refusal)).headers(retryHeaders(refusal)).header('cache-control', 'no-store').type(`${findMediaType(request) ?? JSON_TYPE}; charset=utf-8`)
    .send(JSON.stringify({ errors: [{ message, extensions: { code, reason, requestId: request.id } }] }));
}
