import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/index.js';
import type { RequestContext } from '../graphql/context.js';
import type { Executor } from '../graphql/executor.js';
import { readBodies } from './body-parsers.js';
import { execute, OperationRefused } from './execute.js';
import { HttpError, httpErrorOf } from './http-error.js';
import { streamList } from './member-stream.js';
import { INTERNAL, problemOf, type Refusal, refusalOfError } from './problem.js';
import { bodyOf, checkQuery, pathOf, toRestRequest } from './request.js';
import { retryHeaders } from './retry-headers.js';
import type { RestRoute } from './route.js';
import { ROUTES } from './routes.js';
import { restFields } from './spelling.js';
import { oauthError } from './token-request.js';

export interface RestOptions {
  readonly executor: Executor;
  /** Who asks, and what the operation is given; the same each time it is called for a request. */
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  readonly reportBug: (error: unknown, requestId: string) => void;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Serves the documented paths: each fills the variables of one operation, runs it, and shapes its answer. */
export function restPlugin(options: RestOptions) {
  return (app: FastifyInstance, _: object, done: () => void): void => {
    readBodies(app);
    app.setErrorHandler((error, request, reply) => refuse(options, null, error, request, reply));
    app.setNotFoundHandler((request, reply) => refuse(options, null, new HttpError('NOT_FOUND', 'There is nothing at this path.'), request, reply));
    for (const row of ROUTES) serve(app, row, options);
    done();
  };
}

function serve(app: FastifyInstance, row: RestRoute, options: RestOptions): void {
  const methods = row.method === 'GET' ? ['GET', 'HEAD'] : [row.method];
  const allow = [...methods, 'OPTIONS'].toSorted().join(', ');
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    refuse(options, row, error, request, reply);
  app.route({
    method: methods,
    url: row.path,
    exposeHeadRoute: false,
    errorHandler,
    onRequest: (request) => admit(row, options, request),
    handler: (request, reply) => answer(row, options, request, reply),
  });
  app.route({ method: 'OPTIONS', url: row.path, handler: (_, reply) => reply.code(204).header('allow', allow).send() });
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'OPTIONS' && !methods.includes(method)),
    url: row.path,
    exposeHeadRoute: false,
    errorHandler,
    // Before the body is read: whatever it is, the method is what is wrong.
    onRequest: (_, reply) => {
      reply.header('allow', allow);
      return Promise.reject(new HttpError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`));
    },
    handler: () => undefined,
  });
}

/** Turns away what needs no body to be known as wrong. */
async function admit(row: RestRoute, { contextOf }: RestOptions, request: FastifyRequest): Promise<void> {
  if (accepts(request.raw).type(['application/json', 'application/problem+json']) === false) {
    throw new HttpError('NOT_ACCEPTABLE', 'This service answers in application/json.');
  }
  if (!row.needsToken) return;
  const { actor } = await contextOf(request);
  if (actor.kind === 'anonymous') throw actor.problem;
}

async function answer(row: RestRoute, options: RestOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  checkQuery(row, request);
  const restRequest = toRestRequest(request, bodyOf(row, request));
  const context = await options.contextOf(request);
  const run = (variables: unknown): Promise<unknown> =>
    execute(options.executor, row.operation, variables as Readonly<Record<string, unknown>>, context);
  const variables = row.variables(restRequest);
  const data = await run(variables);
  reply.code(row.success).type(JSON_TYPE).header('cache-control', 'no-store');
  const { list } = row;
  if (list?.isComplete(restRequest) === true && list.next(data, variables) !== null) {
    // A HEAD request is answered with the same headers; the rest of the list need not be read for it.
    return request.method === 'HEAD' ? reply.send() : reply.send(streamList(list, { data, variables }, run));
  }
  const { body, headers = {} } = row.answer(data, restRequest);
  return reply.headers(headers).send(JSON.stringify(body));
}

function refuse(options: RestOptions, row: RestRoute | null, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal === INTERNAL) options.reportBug(error, request.id);
  const fields = refusal.fields === undefined ? undefined : restFields(refusal.fields, row?.fieldNames ?? {});
  const problem = problemOf({ ...refusal, fields }, { instance: pathOf(request), requestId: request.id });
  const oauth = row?.oauthErrors === true ? { error: oauthError(problem.status, fields), error_description: problem.detail } : {};
  reply.code(problem.status).header('cache-control', 'no-store').type(isForm(request) && row?.oauthErrors === true ? JSON_TYPE : PROBLEM_TYPE);
  if (problem.status === 401) reply.header('www-authenticate', challenge(refusal));
  return reply.headers(retryHeaders(refusal)).send(JSON.stringify({ ...problem, ...oauth }));
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof OperationRefused) return error.refusal;
  if (error instanceof DomainError) return refusalOfError(error);
  return httpErrorOf(error)?.refusal ?? INTERNAL;
}

/** RFC 6750 section 3: an error only where a token was sent. */
function challenge({ reason }: Refusal): string {
  return reason.startsWith('TOKEN_') && reason !== 'TOKEN_MISSING' ? 'Bearer error="invalid_token"' : 'Bearer';
}

function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
}
