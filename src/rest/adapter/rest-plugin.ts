import { Readable } from 'node:stream';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  InvalidInputError,
  isRecord,
  PreconditionError,
  type DomainError,
  type ReportUnexpectedError,
} from '../../errors/index.js';
import { deriveContext, type RequestContext } from '../../graphql/context/request-context.js';
import { unwrapDomainError } from '../../graphql/errors/public-error.js';
import type { Executor } from '../../graphql/execution/executor.js';
import type { GetRequestContext } from '../../graphql/transport/register-request-context.js';
import {
  bodyMediaType,
  createErrorHandler,
  HttpError,
  negotiateOnce,
  parseQueryString,
  registerBodyParsers,
  repeatedNames,
  ReportedError,
  requestPath,
  type PublicUrl,
} from '../../http-core/index.js';
import { requireRevalidation, sendWithEntityTag } from '../conditional-requests/conditional-get.js';
import { toRestFieldErrors } from '../routes/case-mapping.js';
import {
  BODY_MEDIA_TYPES,
  type QueryParameters,
  type RestRequest,
  type RestResponse,
  type RestRoute,
} from '../routes/route.js';
import { ROUTES } from '../routes/routes.js';
import { streamJsonList } from '../streaming/stream-json-list.js';
import { formatOAuthError } from './oauth-errors.js';

interface RestOptions {
  readonly executor: Executor;
  readonly getContext: GetRequestContext;
  readonly publicUrl: PublicUrl;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const preferredType = negotiateOnce(['application/json', 'application/problem+json']);
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
  const handleError = createErrorHandler(options, route.oauthErrors ? formatOAuthError : undefined);
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    exposeHeadRoute: false,
    errorHandler: (error, request, reply) => {
      handleError(error, request, reply);
    },
    onRequest: (request, _reply, done) => {
      checkRequest(route, options, request, done);
    },
    handler: (request, reply) => handleRequest(route, options, request, reply),
  });
}

/** Calls `done`, with an error for a request that can be rejected before its body is read. */
function checkRequest(
  { needsToken }: RestRoute,
  { getContext }: RestOptions,
  request: FastifyRequest,
  done: (error?: Error) => void,
): void {
  const requireCaller = ({ actor }: RequestContext): void => {
    done(actor.kind === 'anonymous' ? actor.authenticationError : undefined);
  };
  if (preferredType(request) === false) {
    done(new HttpError('NOT_ACCEPTABLE', 'This service answers in application/json.'));
  } else if (needsToken) {
    const context = getContext(request);
    if (context instanceof Promise) context.then(requireCaller, done);
    else requireCaller(context);
  } else done();
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
  reply.code(route.success).type(JSON_TYPE);
  if (route.isRevalidated) requireRevalidation(reply);
  else reply.headers(NOT_STORED);
  const { list } = route;
  if (list?.isComplete(restRequest) === true && list.next(data, variables) !== null) {
    // HEAD needs the same headers and no further page.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    const readPage = async (page: unknown): Promise<unknown> => run(page, await reauthenticated(context));
    return reply.send(streamJsonList(list, { data, variables }, readPage));
  }
  const response = operation.toResponse(data, restRequest);
  const text = JSON.stringify(response.body);
  setHeaders(reply, response, options.publicUrl);
  return route.isRevalidated ? sendWithEntityTag(request, reply, text) : reply.send(text);
}

/** RFC 9110, section 10.2.2, and RFC 8288. */
function setHeaders(reply: FastifyReply, { headers, location, nextPage }: RestResponse, publicUrl: PublicUrl): void {
  if (headers !== undefined) reply.headers(headers);
  if (location !== undefined) reply.header('location', publicUrl.pathOf(location));
  if (nextPage !== undefined) reply.header('link', `<${publicUrl.pathOf(nextPage)}>; rel="next"`);
}

/**
 * Parses a request of a documented path.
 *
 * @throws HttpError `UNSUPPORTED_MEDIA_TYPE`, or `MALFORMED_REQUEST` for an undecodable query or a missing body
 * @throws InvalidInputError for an unknown or repeated query parameter
 */
function parseRequest(route: RestRoute, request: FastifyRequest): RestRequest {
  const query = parseQuery(route, request.url);
  return {
    path: requestPath(request.url),
    params: textsOf(toRecord(request.params)),
    query,
    body: parseBody(route, request),
    ifMatch: request.headers['if-match'],
  };
}

function parseQuery(route: RestRoute, url: string): QueryParameters {
  if (!url.includes('?')) return {};
  const parameters = parseQueryString(url);
  const repeated = repeatedNames(parameters);
  const query = Object.fromEntries(parameters);
  const errors = Object.keys(query).flatMap((field) => {
    if (!Object.hasOwn(route.query, field)) return [{ field, message: 'is not a query parameter of this path' }];
    return repeated.has(field) ? [{ field, message: 'must be given once' }] : [];
  });
  if (errors.length > 0) throw new InvalidInputError(errors);
  return query;
}

function parseBody(route: RestRoute, { headers, body }: FastifyRequest): Readonly<Record<string, unknown>> {
  const allowed: readonly string[] = BODY_MEDIA_TYPES[route.body];
  if (allowed.length === 0) return {};
  const type = bodyMediaType(headers);
  if (type !== undefined && !allowed.includes(type)) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${allowed.join(' or ')}.`);
  }
  if (body === undefined || body === null) throw new HttpError('MALFORMED_REQUEST', 'The request has no body.');
  return toRecord(body);
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textsOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') texts[name] = value;
  return texts;
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
 * Runs one operation in process and returns its data.
 *
 * @param fieldNames REST name by GraphQL name, for the fields whose REST name is not their GraphQL name in snake case
 * @throws DomainError the first error of the operation, even when there is partial data
 * @throws ReportedError when that error is unexpected, because the executor reports such errors itself
 */
export async function runOperation<Data, Variables>(
  executor: Executor,
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: RequestContext,
  fieldNames: Readonly<Record<string, string>>,
): Promise<Data> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the generated types are objects
  const request = { variables: variables as Readonly<Record<string, unknown>> };
  const { data, errors: [error] = [] } = await executor.executeDocument(operation, request, context);
  if (error !== undefined) throw toRestError(unwrapDomainError(error), fieldNames);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the operation selects this type
  return data as Data;
}

function toRestError(error: DomainError | null, fieldNames: Readonly<Record<string, string>>): Error {
  if (!(error instanceof InvalidInputError)) return error ?? new ReportedError();
  const fields = toRestFieldErrors(error.fields ?? [], fieldNames);
  return new InvalidInputError(fields, error.invalidReason, { message: error.message, cause: error });
}

/**
 * Authenticates the caller again, because the token may have expired or been revoked since the request began.
 *
 * @throws UnauthenticatedError
 */
async function reauthenticated(context: RequestContext): Promise<RequestContext> {
  const actor = await context.reauthenticate();
  if (actor.kind === 'anonymous') throw actor.authenticationError;
  return deriveContext(context, { actor });
}
