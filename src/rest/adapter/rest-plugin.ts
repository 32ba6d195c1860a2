import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PreconditionError, type ReportUnexpectedError } from '../../errors/index.js';
import type { RequestContext } from '../../graphql/context/request-context.js';
import type { Executor } from '../../graphql/execution/executor.js';
import { createErrorHandler, HttpError, registerBodyParsers } from '../../http-core/index.js';
import { REVALIDATED, sendWithEntityTag } from '../conditional-requests/conditional-get.js';
import type { RestRoute } from '../routes/route.js';
import { ROUTES } from '../routes/routes.js';
import { streamJsonList } from '../streaming/stream-json-list.js';
import { formatOAuthError } from './oauth-errors.js';
import { parseRequest } from './parse-request.js';
import { runOperation } from './run-operation.js';

interface RestOptions {
  readonly executor: Executor;
  /** Returns the context of a request, with the caller authenticated; the same promise for each call. */
  readonly getContext: (request: FastifyRequest) => Promise<RequestContext>;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_STORED = { 'cache-control': 'no-store' } as const;

/**
 * Fastify plugin that serves the documented paths. A path maps its request to the variables of one GraphQL operation,
 * runs the operation in process, and maps its data to the response.
 */
export function restPlugin(options: RestOptions) {
  return (app: FastifyInstance, _: object, done: () => void): void => {
    registerBodyParsers(app);
    for (const route of ROUTES) serve(app, route, options);
    done();
  };
}

function serve(app: FastifyInstance, route: RestRoute, options: RestOptions): void {
  const handleError = createErrorHandler(
    options.reportUnexpectedError,
    route.oauthErrors ? formatOAuthError : undefined,
  );
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    exposeHeadRoute: false,
    errorHandler: (error, request, reply) => {
      handleError(error, request, reply);
    },
    onRequest: (request) => checkRequest(route, options, request),
    handler: (request, reply) => handleRequest(route, options, request, reply),
  });
}

/** Rejects what can be rejected before the body is read. */
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
  const restRequest = parseRequest(route, request);
  const context = await options.getContext(request);
  const operation = route.variant?.matches(restRequest) === true ? route.variant.operation : route;
  const run = (variables: unknown, caller = context): Promise<unknown> =>
    runOperation(options.executor, operation.operation, variables, caller, route.fieldNames);
  const variables = operation.variables(restRequest);
  const data = await runUnderConditions(route.conditions(restRequest, variables), run);
  reply
    .code(route.success)
    .type(JSON_TYPE)
    .headers(route.isRevalidated ? REVALIDATED : NOT_STORED);
  const { list } = route;
  if (list?.isComplete(restRequest) === true && list.next(data, variables) !== null) {
    // HEAD needs the same headers and no further page.
    if (request.method === 'HEAD') return reply.header('transfer-encoding', 'chunked').send();
    const readPage = async (page: unknown): Promise<unknown> => run(page, await reauthenticated(context));
    return reply.send(streamJsonList(list, { data, variables }, readPage));
  }
  const { body, headers = {} } = operation.toResponse(data, restRequest);
  const text = JSON.stringify(body);
  reply.headers(headers);
  return route.isRevalidated ? sendWithEntityTag(request, reply, text) : reply.send(text);
}

/**
 * Runs the operation under each condition in order until one holds. An operation that fails with 412 changes nothing.
 */
async function runUnderConditions(
  [variables, next, ...others]: readonly unknown[],
  run: (variables: unknown) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await run(variables);
  } catch (error) {
    if (!(error instanceof PreconditionError) || next === undefined) throw error;
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
