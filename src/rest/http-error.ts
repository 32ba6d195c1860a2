import { describeHttpError, type ErrorDescriptor, type HttpErrorCode } from './problem-details.js';

/** What HTTP itself forbids, before any operation is known. */
export class HttpError extends Error {
  readonly refusal: ErrorDescriptor;

  constructor(code: Exclude<HttpErrorCode, 'INTERNAL_SERVER_ERROR'>, message: string) {
    super(message);
    this.refusal = describeHttpError(code, message);
  }
}

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

/** @returns null for an error that is not the request's fault */
export function toHttpError(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return FASTIFY_ERRORS[code]?.() ?? null;
}
