import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../graphql/context/request-context.js';
import type { ReportUnexpectedError } from '../graphql/errors/public-error.js';
import type { Executor } from '../graphql/execution/executor.js';
import { registerBodyParsers } from './body-parsers.js';
import { REVALIDATED, sendWithEntityTag } from './conditional-get.js';
import { createErrorHandler } from './error-handler.js';
import { HttpError } from './http-error.js';
import { parseBody, queryOf, toRestRequest } from './parse-request.js';
import type { RestRoute } from './route.js';
import { ROUTES } from './routes.js';
import { OperationError, runOperation } from './run-operation.js';
import { streamJsonList } from './stream-json-list.js';

export interface RestOptions {
  readonly executor: Executor;
  /** Who asks, and what the operation is given; the same each time it is called for a request. */
  readonly getContext: (request: FastifyRequest) => Promise<RequestContext>;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_STORED = { 'cache-control': 'no-store' } as const;

/** Serves the documented paths: each fills the variables of one operation, runs it, and shapes its answer. */
export function restPlugin(options: RestOptions) {
  return (app: FastifyInstance, _: object, done: () => void): void => {
    registerBodyParsers(app);
    for (const route of ROUTES) serve(app, route, options);
    done();
  };
}

function serve(app: FastifyInstance, route: RestRoute, options: RestOptions): void {
  const sendProblem = createErrorHandler(options.reportUnexpectedError, route);
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    exposeHeadRoute: false,
    errorHandler: (error, request, reply) => {
      sendProblem(error, request, reply);
    },
    onRequest: (request) => checkRequest(route, options, request),
    handler: (request, reply) => handleRequest(route, options, request, reply),
  });
}

/** Turns away what needs no body to be known as wrong. */
async function checkRequest(route: RestRoute, { getContext }: RestOptions, request: FastifyRequest): Promise<void> {
  if (accepts(request.raw).type(['application/json', 'application/problem+json']) === false) {
    throw new HttpError('NOT_ACCEPTABLE', 'This service answers in application/json.');
  }
  if (!route.needsToken) return;
  const { actor } = await getContext(request);
  if (actor.kind === 'anonymous') throw actor.authenticationError;
}

async function handleRequest(
  route: RestRoute,
  options: RestOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = queryOf(route, request);
  const restRequest = toRestRequest(request, { query, body: parseBody(route, request) });
  const context = await options.getContext(request);
  const operation = route.variant?.matches(restRequest) === true ? route.variant.operation : route;
  const run = (variables: unknown, by = context): Promise<unknown> =>
    runOperation(options.executor, operation.operation, variables, by, route.fieldNames);
  const variables = operation.variables(restRequest);
  const data = await runUnderConditions(route.conditions(restRequest, variables), run);
  reply
    .code(route.success)
    .type(JSON_TYPE)
    .headers(route.isRevalidated ? REVALIDATED : NOT_STORED);
  const { list } = route;
  if (list?.isComplete(restRequest) === true && list.next(data, variables) !== null) {
    // A HEAD request is answered with the same headers; the rest of the list need not be read for it.
    if (request.method === 'HEAD') return reply.header('transfer-encoding', 'chunked').send();
    const readPage = async (page: unknown): Promise<unknown> => run(page, await reauthenticated(context));
    return reply.send(streamJsonList(list, { data, variables }, readPage));
  }
  const { body, headers = {} } = operation.answer(data, restRequest);
  const text = JSON.stringify(body);
  reply.headers(headers);
  return route.isRevalidated ? sendWithEntityTag(request, reply, text) : reply.send(text);
}

/** Runs under one condition after the other, until one holds: what fails with 412 has changed nothing. */
async function runUnderConditions(
  [variables, next, ...others]: readonly unknown[],
  run: (variables: unknown) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await run(variables);
  } catch (error) {
    const hasFailed = error instanceof OperationError && error.refusal.code === 'PRECONDITION_FAILED';
    if (!hasFailed || next === undefined) throw error;
    return runUnderConditions([next, ...others], run);
  }
}

/**
 * Authenticates the caller again, because the token may have expired or been revoked since the request began.
 *
 * @throws UnauthenticatedError
 */
async function reauthenticated(context: RequestContext): Promise<RequestContext> {
  const actor = await context.reauthenticate();
  if (actor.kind === 'anonymous') throw actor.authenticationError;
  return { ...context, actor };
}
