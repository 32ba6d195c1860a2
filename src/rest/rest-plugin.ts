import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../graphql/context.js';
import type { ReportUnexpectedError } from '../graphql/errors.js';
import type { Executor } from '../graphql/executor.js';
import { registerBodyParsers } from './body-parsers.js';
import { REVALIDATED, sendWithEntityTag } from './conditional-get.js';
import { runOperation, OperationError } from './run-operation.js';
import { HttpError } from './http-error.js';
import { streamJsonList } from './stream-json-list.js';
import { parseBody, queryOf, toRestRequest } from './parse-request.js';
import type { RestRoute } from './route.js';
import { ROUTES } from './routes.js';
import { createErrorHandler } from './error-handler.js';

export interface RestOptions {
  readonly executor: Executor;
  /** Who asks, and what the operation is given; the same each time it is called for a request. */
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  readonly reportBug: ReportUnexpectedError;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_STORED = { 'cache-control': 'no-store' } as const;

/** Serves the documented paths: each fills the variables of one operation, runs it, and shapes its answer. */
export function restPlugin(options: RestOptions) {
  return (app: FastifyInstance, _: object, done: () => void): void => {
    registerBodyParsers(app);
    for (const row of ROUTES) serve(app, row, options);
    done();
  };
}

function serve(app: FastifyInstance, row: RestRoute, options: RestOptions): void {
  const sendProblem = createErrorHandler(options.reportBug, row);
  app.route({
    method: row.method === 'GET' ? ['GET', 'HEAD'] : row.method,
    url: row.path,
    exposeHeadRoute: false,
    errorHandler: (error, request, reply) => { sendProblem(error, request, reply); },
    onRequest: (request) => admit(row, options, request),
    handler: (request, reply) => answer(row, options, request, reply),
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
  const query = queryOf(row, request);
  const restRequest = toRestRequest(request, { query, body: parseBody(row, request) });
  const context = await options.contextOf(request);
  const runs = row.alternative?.fits(restRequest) === true ? row.alternative.runs : row;
  const run = (variables: unknown, by = context): Promise<unknown> =>
    runOperation(options.executor, runs.operation, variables, by, row.fieldNames);
  const variables = runs.variables(restRequest);
  const data = await runUnderConditions(row.conditions(restRequest, variables), run);
  reply.code(row.success).type(JSON_TYPE).headers(row.isRevalidated ? REVALIDATED : NOT_STORED);
  const { list } = row;
  if (list?.isComplete(restRequest) === true && list.next(data, variables) !== null) {
    // A HEAD request is answered with the same headers; the rest of the list need not be read for it.
    if (request.method === 'HEAD') return reply.header('transfer-encoding', 'chunked').send();
    const readPage = async (page: unknown): Promise<unknown> => run(page, await reauthenticated(context));
    return reply.send(streamJsonList(list, { data, variables }, readPage));
  }
  const { body, headers = {} } = runs.answer(data, restRequest);
  const text = JSON.stringify(body);
  reply.headers(headers);
  return row.isRevalidated ? sendWithEntityTag(request, reply, text) : reply.send(text);
}

/** Runs under one condition after the other, until one holds: what fails with 412 has changed nothing. */
async function runUnderConditions(
  [variables, next, ...others]: readonly unknown[], run: (variables: unknown) => Promise<unknown>,
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
  const actor = await context.actorNow();
  if (actor.kind === 'anonymous') throw actor.problem;
  return { ...context, actor };
}
