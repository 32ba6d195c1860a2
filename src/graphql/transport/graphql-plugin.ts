import { Readable } from 'node:stream';
import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, type GraphQLError } from 'graphql';
import type { ReportUnexpectedError } from '../../errors/index.js';
import { describeError, HttpError, registerBodyParsers, startErrorResponse } from '../../http-core/index.js';
import type { Engine, EngineResponse, GraphqlRequest } from '../engines/engine.js';
import { GRAPHQL_RESPONSE_MEDIA_TYPE, JSON_MEDIA_TYPE, responseStatus } from '../engines/response-status.js';
import type { Executor, InvalidOperation } from '../execution/executor.js';
import type { KnownOperation } from '../execution/known-operation.js';
import { singleResult } from '../execution/result-stream.js';
import { isGateway } from '../federation/require-gateway.js';
import { encodeInSlices, isShort } from '../pacing/result-json.js';
import { NOT_STORED, type DirectRequests } from './direct-requests.js';
import { parseGraphqlRequest } from './graphql-request.js';
import type { GetRequestContext } from './register-request-context.js';
import { negotiateFormat, negotiateMediaType, negotiateStream, type ResponseFormat } from './response-format.js';
import { registerStreamConnections, type StreamConnections } from './stream-connections.js';

export const GRAPHQL_PATH = '/graphql';

/** The page that a browser gets instead of a result. */
export interface GraphqlPage {
  readonly send: (reply: FastifyReply) => FastifyReply;
  /** True for an editor, which shows the operation of the URL instead of running it. */
  readonly showsOperations: boolean;
}

export interface GraphqlPluginOptions {
  readonly engine: Engine;
  /** Answers what is sent by POST, in place of the engine; null when the engine answers all requests. */
  readonly directLane: Engine | null;
  /** Answers most requests before Fastify; null when it is not used. */
  readonly directRequests: DirectRequests | null;
  readonly executor: Executor;
  readonly getContext: GetRequestContext;
  readonly page: GraphqlPage;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/**
 * Fastify plugin that serves the path of GraphQL. A browser gets a page, a client that accepts a stream of results
 * gets one, and other clients the engine's response.
 *
 * Rejects malformed requests and invalid documents itself, so that both engines give the same response.
 */
export function graphqlPlugin(options: GraphqlPluginOptions) {
  const { page, directRequests } = options;
  return (app: FastifyInstance, _: object, done: () => void): void => {
    registerBodyParsers(app);
    const streams = registerStreamConnections(app);
    app.route({
      method: ['GET', 'HEAD', 'POST'],
      url: GRAPHQL_PATH,
      exposeHeadRoute: false,
      preParsing: (request, _reply, payload, done) => {
        const passedOn = directRequests?.find(request.raw);
        done(null, passedOn === undefined ? payload : streamOf(passedOn.body));
      },
      errorHandler: (error, request, reply) => {
        sendError(options, error, request, reply);
      },
      handler: (request, reply) =>
        wantsPage(request, page) ? page.send(reply) : handleRequest({ ...options, streams }, request, reply),
    });
    done();
  };
}

/** A stream of bytes that are there already. `Readable.from` would iterate over them asynchronously. */
function streamOf(bytes: Buffer): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push(bytes);
  stream.push(null);
  return stream;
}

/** Browsers prefer HTML when they open a URL; programs do not. */
function wantsPage(request: FastifyRequest, { showsOperations }: GraphqlPage): boolean {
  return (
    request.method !== 'POST' &&
    (showsOperations || !request.url.includes('?')) &&
    accepts(request.raw).type([JSON_MEDIA_TYPE, GRAPHQL_RESPONSE_MEDIA_TYPE, 'text/html']) === 'text/html'
  );
}

interface EndpointContext extends GraphqlPluginOptions {
  readonly streams: StreamConnections;
}

async function handleRequest(
  endpoint: EndpointContext,
  httpRequest: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { streams, executor, engine, directLane, directRequests, getContext } = endpoint;
  const { invalid = null, response = null } = directRequests?.find(httpRequest.raw) ?? {};
  if (response !== null) return sendResponse(reply, await response);
  const accepted = negotiateFormat(httpRequest);
  const request = parseGraphqlRequest(httpRequest, executor.documents.trusted);
  const resolved = invalid ?? (await findOperation(endpoint, request, httpRequest));
  if ('errors' in resolved) return sendDocumentErrors(endpoint, resolved.errors, accepted, reply);
  const kind = resolved.operation.operation;
  requireMethodFor(kind, httpRequest, reply);
  const format = kind === OperationTypeNode.SUBSCRIPTION ? negotiateStream(httpRequest) : accepted;
  const operation = { ...request, operation: resolved, context: await getContext(httpRequest) };
  if ('encoding' in format) return streams.send(reply, await executor.streamOperation(operation), format.encoding);
  const answering = httpRequest.method === 'POST' ? (directLane ?? engine) : engine;
  return sendResponse(reply, await answering.handle({ ...operation, mediaType: format.mediaType }));
}

/** A gateway may send documents that are not trusted, where all others may not. */
async function findOperation(
  { executor, getContext }: EndpointContext,
  { query, operationName }: GraphqlRequest,
  request: FastifyRequest,
): Promise<KnownOperation | InvalidOperation> {
  const mayFederate = executor.documents.trusted.isExclusive && (await isGateway(await getContext(request)));
  return executor.findOperation(query, operationName, request.id, mayFederate);
}

async function sendResponse(reply: FastifyReply, { status, headers, body }: EngineResponse): Promise<FastifyReply> {
  return reply
    .code(status)
    .headers({ ...NOT_STORED, ...headers })
    .send(isShort(body) ? body : await encodeInSlices(body));
}

/** Sends the errors of a document that cannot be executed. */
function sendDocumentErrors(
  { streams }: EndpointContext,
  errors: readonly GraphQLError[],
  format: ResponseFormat,
  reply: FastifyReply,
): FastifyReply {
  if ('encoding' in format) return streams.send(reply, singleResult({ errors }), format.encoding);
  return reply
    .code(responseStatus({ errors }, format.mediaType))
    .headers(NOT_STORED)
    .type(`${format.mediaType}; charset=utf-8`)
    .send(JSON.stringify({ errors }));
}

/** A mutation requires POST; a subscription, which has no end, also allows GET but not HEAD. */
function requireMethodFor(kind: OperationTypeNode, request: FastifyRequest, reply: FastifyReply): void {
  if (kind === OperationTypeNode.QUERY) return;
  const allowed = kind === OperationTypeNode.MUTATION ? ['POST'] : ['GET', 'POST'];
  if (allowed.includes(request.method)) return;
  reply.header('allow', allowed.join(', '));
  throw new HttpError('METHOD_NOT_ALLOWED', `A ${kind} takes ${allowed.join(' or ')}.`);
}

function sendError(
  { reportUnexpectedError }: GraphqlPluginOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const descriptor = describeError(error, (unexpected) => {
    reportUnexpectedError(unexpected, request.id);
  });
  const { message, code, reason } = descriptor;
  return startErrorResponse(reply, descriptor)
    .type(`${negotiateMediaType(request) ?? JSON_MEDIA_TYPE}; charset=utf-8`)
    .send(JSON.stringify({ errors: [{ message, extensions: { code, reason, requestId: request.id } }] }));
}
