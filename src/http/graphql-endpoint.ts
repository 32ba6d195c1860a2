import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/index.js';
import type { Engine } from '../graphql/engine.js';
import { EXAMPLE_OPERATIONS, graphiqlPage, registerGraphiqlAssets, sendPage } from './pages/index.js';
import { HttpError, httpErrorOf, INTERNAL, readBodies, type Refusal, refusalOfError, statusOf } from '../rest/index.js';

export const GRAPHQL_PATH = '/graphql';
const METHODS = ['GET', 'HEAD', 'POST'] as const;
const ALLOW = 'GET, HEAD, OPTIONS, POST';
const RESPONSE_TYPES = ['application/graphql-response+json', 'application/json', 'text/event-stream'];

export interface GraphqlEndpointOptions {
  readonly engine: Engine;
  readonly graphiql: boolean;
  readonly reportBug: (error: unknown, requestId: string) => void;
}

/**
 * The one path of GraphQL: a browser that opens it gets GraphiQL, everything else goes to the engine.
 *
 * What is wrong with the request as HTTP is answered here, so that it is the same with either engine. Only
 * JSON is read: forms and plain text are what other sites can make a browser send without asking.
 */
export function graphqlEndpoint({ engine, graphiql, reportBug }: GraphqlEndpointOptions) {
  const page = graphiqlPage({ endpoint: GRAPHQL_PATH, tabs: EXAMPLE_OPERATIONS });
  return async (app: FastifyInstance): Promise<void> => {
    if (graphiql) await registerGraphiqlAssets(app);
    readBodies(app);
    app.setErrorHandler((error, request, reply) => refuse(error, request, reply, reportBug));
    app.route({
      method: [...METHODS],
      url: GRAPHQL_PATH,
      exposeHeadRoute: false,
      handler: (request, reply) => {
        if (graphiql && wantsPage(request)) return sendPage(reply, page);
        refuseForeignBodies(request);
        reply.header('cache-control', 'no-store');
        return engine.handle(request, reply);
      },
    });
    app.route({ method: 'OPTIONS', url: GRAPHQL_PATH, handler: (_, reply) => reply.code(204).header('allow', ALLOW).send() });
    app.route({
      method: app.supportedMethods.filter((method) => !ALLOW.split(', ').includes(method)),
      url: GRAPHQL_PATH,
      onRequest: (_, reply) => {
        reply.header('allow', ALLOW);
        return Promise.reject(new HttpError('METHOD_NOT_ALLOWED', `This path takes ${ALLOW}.`));
      },
      handler: () => undefined,
    });
  };
}

function wantsPage(request: FastifyRequest): boolean {
  return request.method !== 'POST' && accepts(request.raw).type([...RESPONSE_TYPES, 'text/html']) === 'text/html';
}

function refuseForeignBodies(request: FastifyRequest): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json') throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'This path reads application/json.');
  if (request.method === 'POST' && (request.body === undefined || request.body === null)) {
    throw new HttpError('MALFORMED_REQUEST', 'The request has no body.');
  }
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, reportBug: GraphqlEndpointOptions['reportBug']): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal === INTERNAL) reportBug(error, request.id);
  const { message, code, reason } = refusal;
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  return reply.code(statusOf(refusal)).header('cache-control', 'no-store').type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [{ message, extensions: { code, reason, requestId: request.id } }] }));
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof DomainError) return refusalOfError(error);
  return httpErrorOf(error)?.refusal ?? INTERNAL;
}
