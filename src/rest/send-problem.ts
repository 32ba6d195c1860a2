import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/index.js';
import type { ReportBug } from '../graphql/errors.js';
import { stayConnected } from './body-parsers.js';
import { OperationRefused } from './execute.js';
import { httpErrorOf } from './http-error.js';
import { INTERNAL, problemOf, type Refusal, refusalOfError } from './problem.js';
import { pathOf } from './request.js';
import { retryHeaders } from './retry-headers.js';
import type { RestRoute } from './route.js';
import { oauthError } from './token-request.js';

const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Whatever was thrown, as a refusal; an unknown error is a bug, and nothing of it shows. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof OperationRefused) return error.refusal;
  if (error instanceof DomainError) return refusalOfError(error);
  return httpErrorOf(error)?.refusal ?? INTERNAL;
}

/**
 * Makes what answers a request that failed (RFC 9457), and reports it when it is a bug.
 *
 * @param row the documented path that it was for, whose errors may have members of their own
 */
export function problemSender(reportBug: ReportBug, row: RestRoute | null = null) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = refusalOf(error);
    if (refusal === INTERNAL) reportBug(error, request.id);
    return send(refusal, row, request, reply);
  };
}

function send(refusal: Refusal, row: RestRoute | null, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(refusal, { instance: pathOf(request), requestId: request.id });
  const isOauth = row?.oauthErrors === true;
  if (problem.status === 401) reply.header('www-authenticate', challenge(refusal));
  stayConnected(reply).code(problem.status).headers(retryHeaders(refusal)).header('cache-control', 'no-store').type(isOauth && isForm(request) ? JSON_TYPE : PROBLEM_TYPE);
  return reply.send(JSON.stringify(isOauth ? { ...problem, error: oauthError(problem.status, refusal.fields), error_description: problem.detail } : problem));
}

/** RFC 6750 section 3: an error only where a token was sent. */
function challenge({ reason }: Refusal): string {
  return reason.startsWith('TOKEN_') && reason !== 'TOKEN_MISSING' ? 'Bearer error="invalid_token"' : 'Bearer';
}

function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
}
