import {
  CATALOGUE,
  RateLimitedError,
  type DomainError,
  type ExceededPolicy,
  type FieldError,
} from '../errors/index.js';

/** An error as clients see it, before it is formatted as problem details (RFC 9457) or as a GraphQL error. */
export interface ErrorDescriptor {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly fields?: readonly FieldError[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The exceeded rate limit. */
  readonly policy?: ExceededPolicy | undefined;
}

/** Status and title by `code`: the codes of domain errors, and those of HTTP itself. */
export const HTTP_ERRORS = {
  MALFORMED_REQUEST: { status: 400, title: 'Malformed request' },
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 400, title: 'Automatic persisted queries are not supported' },
  UNAUTHENTICATED: { status: 401, title: 'Unauthenticated' },
  FORBIDDEN: { status: 403, title: 'Forbidden' },
  DOCUMENT_NOT_TRUSTED: { status: 403, title: 'Not a trusted document' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  PERSISTED_DOCUMENT_NOT_FOUND: { status: 404, title: 'Persisted document not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  NOT_ACCEPTABLE: { status: 406, title: 'Not acceptable' },
  REQUEST_TIMEOUT: { status: 408, title: 'Request timeout' },
  CONFLICT: { status: 409, title: 'Conflict' },
  PRECONDITION_FAILED: { status: 412, title: 'Precondition failed' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'Payload too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported media type' },
  BAD_USER_INPUT: { status: 422, title: 'Wrong or missing values' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'Headers too large' },
  INTERNAL_SERVER_ERROR: { status: 500, title: 'Internal server error' },
  UNAVAILABLE: { status: 503, title: 'Unavailable' },
} as const;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** Describes an unexpected error: its cause is logged, never sent to the client. */
export const INTERNAL_ERROR: ErrorDescriptor = {
  code: CATALOGUE.Internal.code,
  reason: 'INTERNAL',
  message: CATALOGUE.Internal.reasons.INTERNAL.message,
};

export function describeDomainError(error: DomainError): ErrorDescriptor {
  const { code, reason, message, fields, retryAfterSeconds } = error;
  const policy = error instanceof RateLimitedError ? error.policy : undefined;
  return { code, reason, message, fields, retryAfterSeconds, policy };
}

/** Returns the status and the title of an error; those of an internal error for an unknown code. */
export function httpErrorOf({ code }: ErrorDescriptor): (typeof HTTP_ERRORS)[HttpErrorCode] {
  return HTTP_ERRORS[isHttpErrorCode(code) ? code : 'INTERNAL_SERVER_ERROR'];
}

function isHttpErrorCode(code: string): code is HttpErrorCode {
  return Object.hasOwn(HTTP_ERRORS, code);
}
