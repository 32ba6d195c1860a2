import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/index.js';
import type { ReportUnexpectedError } from '../graphql/errors/public-error.js';
import { keepConnectionAlive } from './body-parsers.js';
import { toHttpError } from './http-error.js';
import { requestPath } from './parse-request.js';
import { describeDomainError, INTERNAL_ERROR, toProblemDetails, type ErrorDescriptor } from './problem-details.js';
import { retryHeaders } from './retry-headers.js';
import type { RestRoute } from './route.js';
import { OperationError } from './run-operation.js';
import { toOAuthErrorCode } from './token-request.js';

const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** Whatever was thrown, as a refusal; an unknown error is a bug, and nothing of it shows. */
export function describeError(error: unknown): ErrorDescriptor {
  if (error instanceof OperationError) return error.refusal;
  if (error instanceof DomainError) return describeDomainError(error);
  return toHttpError(error)?.refusal ?? INTERNAL_ERROR;
}

/**
 * Makes what answers a request that failed (RFC 9457), and reports it when it is a bug.
 *
 * @param route the documented path that it was for, whose errors may have members of their own
 */
export function createErrorHandler(reportUnexpectedError: ReportUnexpectedError, route: RestRoute | null = null) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = describeError(error);
    if (refusal === INTERNAL_ERROR) reportUnexpectedError(error, request.id);
    return send(refusal, route, request, reply);
  };
}

function send(
  refusal: ErrorDescriptor,
  route: RestRoute | null,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toProblemDetails(refusal, { instance: requestPath(request), requestId: request.id });
  const isOauth = route?.oauthErrors === true;
  if (problem.status === 401) reply.header('www-authenticate', challenge(refusal));
  keepConnectionAlive(reply)
    .code(problem.status)
    .headers(retryHeaders(refusal))
    .header('cache-control', 'no-store')
    .type(isOauth && isForm(request) ? JSON_TYPE : PROBLEM_MEDIA_TYPE);
  return reply.send(
    JSON.stringify(
      isOauth
        ? { ...problem, error: toOAuthErrorCode(problem.status, refusal.fields), error_description: problem.detail }
        : problem,
    ),
  );
}

/** RFC 6750 section 3: an error only where a token was sent. */
function challenge({ reason }: ErrorDescriptor): string {
  return reason.startsWith('TOKEN_') && reason !== 'TOKEN_MISSING' ? 'Bearer error="invalid_token"' : 'Bearer';
}

function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
}
