import { DomainError } from '../errors/index.js';
import { describeDomainError, INTERNAL_ERROR, type ErrorDescriptor, type HttpErrorCode } from './error-descriptor.js';

/** A request that HTTP itself rejects, before any operation is known. The reason is the code. */
export class HttpError extends Error {
  readonly descriptor: ErrorDescriptor;

  constructor(code: Exclude<HttpErrorCode, 'INTERNAL_SERVER_ERROR'>, message: string) {
    super(message);
    this.descriptor = { code, reason: code === 'NOT_FOUND' ? 'ROUTE_NOT_FOUND' : code, message };
  }
}

/** An unexpected error that has been reported already. The client gets an internal error; nothing is logged again. */
export class ReportedError extends Error {}

/** The errors that Fastify raises while it reads a request. */
const FASTIFY_ERRORS: Readonly<Record<string, () => HttpError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new HttpError('PAYLOAD_TOO_LARGE', 'The body is larger than this service reads.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new HttpError('UNSUPPORTED_MEDIA_TYPE', 'The body is in a media type that this path does not read.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new HttpError('MALFORMED_REQUEST', 'The body is not as long as Content-Length says.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new HttpError('MALFORMED_REQUEST', 'The body is empty; it must be a JSON object.'),
  FST_ERR_BAD_URL: () => new HttpError('NOT_FOUND', 'There is nothing at this path.'),
};

/**
 * Describes any thrown value for the client, and reports it if it is unexpected.
 *
 * @param report called with an unexpected error that has not been reported yet
 * @returns `INTERNAL_ERROR` for an unexpected error, of which nothing is shown
 */
export function describeError(error: unknown, report: (error: unknown) => void): ErrorDescriptor {
  if (error instanceof DomainError) return describeDomainError(error);
  const httpError = error instanceof HttpError ? error : fromFastify(error);
  if (httpError !== null) return httpError.descriptor;
  if (!(error instanceof ReportedError)) report(error);
  return INTERNAL_ERROR;
}

/** @returns null for an error that the request did not cause */
function fromFastify(error: unknown): HttpError | null {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return FASTIFY_ERRORS[code]?.() ?? null;
}
