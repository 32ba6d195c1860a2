import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReportUnexpectedError } from '../errors/index.js';
import { httpErrorOf, type ErrorDescriptor } from './error-descriptor.js';
import { describeError } from './http-error.js';
import { PROBLEM_MEDIA_TYPE, toProblemDetails, type ProblemDetails } from './problem-details.js';
import type { PublicUrl } from './public-url.js';
import { requestPath } from './request-target.js';
import { retryHeaders } from './retry-headers.js';

export interface FormattedError {
  readonly status: number;
  readonly mediaType: string;
  readonly body: object;
}

/** Formats an error for the request that it responds to. */
export type FormatError = (
  problem: ProblemDetails,
  descriptor: ErrorDescriptor,
  request: Pick<FastifyRequest, 'headers'>,
) => FormattedError;

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Formats an error as problem details and no more. */
export const asProblem: FormatError = (problem) => ({
  status: problem.status,
  mediaType: PROBLEM_MEDIA_TYPE,
  body: problem,
});

export interface ErrorHandlerOptions {
  readonly reportUnexpectedError: ReportUnexpectedError;
  readonly publicUrl: PublicUrl;
}

/** Creates an error handler that responds with problem details (RFC 9457). */
export function createErrorHandler(
  { reportUnexpectedError, publicUrl }: ErrorHandlerOptions,
  format: FormatError = asProblem,
): ErrorHandler {
  return (error, request, reply) => {
    const descriptor = describeError(error, (unexpected) => {
      reportUnexpectedError(unexpected, request.id);
    });
    const problem = toProblemDetails(descriptor, { path: requestPath(request.url), requestId: request.id, publicUrl });
    const { status, mediaType, body } = format(problem, descriptor, request);
    if (status === 401) reply.header('www-authenticate', challenge(descriptor));
    return startErrorResponse(reply, descriptor).code(status).type(mediaType).send(JSON.stringify(body));
  };
}

/**
 * Sets the status and the headers of an error response.
 *
 * Keeps the connection open, which Fastify would close after a rejected body: a client that is still sending would lose
 * the response. Node reads the rest of the body and discards it, for as long as a request may take.
 */
export function startErrorResponse(reply: FastifyReply, descriptor: ErrorDescriptor): FastifyReply {
  return reply
    .removeHeader('connection')
    .code(httpErrorOf(descriptor).status)
    .headers(retryHeaders(descriptor))
    .header('cache-control', 'no-store');
}

/** RFC 6750, section 3: an error only when the request had a token. */
function challenge({ reason }: ErrorDescriptor): string {
  return reason.startsWith('TOKEN_') && reason !== 'TOKEN_MISSING' ? 'Bearer error="invalid_token"' : 'Bearer';
}
