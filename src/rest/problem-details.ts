import {
  CATALOGUE,
  RateLimitedError,
  type DomainError,
  type FieldError,
  type RateLimitPolicy,
} from '../errors/index.js';

/** A refusal in the terms that GraphQL errors and domain errors share. */
export interface ErrorDescriptor {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly fields?: readonly FieldError[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The limit that was reached. */
  readonly policy?: RateLimitPolicy | undefined;
}

/** Status and title by `code`, with those that only a door on HTTP can give. */
export const HTTP_ERRORS = {
  MALFORMED_REQUEST: { status: 400, title: 'Malformed request' },
  UNAUTHENTICATED: { status: 401, title: 'Unauthenticated' },
  FORBIDDEN: { status: 403, title: 'Forbidden' },
  NOT_FOUND: { status: 404, title: 'Not found' },
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

/** RFC 9457. `fields` are in the spelling of REST by now. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly reason: string;
  readonly errors?: readonly FieldError[];
  readonly request_id: string;
}

export interface ProblemContext {
  /** The path of the request, without its query. */
  readonly instance: string;
  readonly requestId: string;
}

/** A refusal of the HTTP door itself; its reason is its code. */
export function describeHttpError(
  code: Exclude<HttpErrorCode, 'INTERNAL_SERVER_ERROR'>,
  message: string,
): ErrorDescriptor {
  return { code, reason: code === 'NOT_FOUND' ? 'ROUTE_NOT_FOUND' : code, message };
}

export function describeDomainError(error: DomainError): ErrorDescriptor {
  const { code, reason, message, fields, retryAfterSeconds } = error;
  return {
    code,
    reason,
    message,
    fields,
    retryAfterSeconds,
    policy: error instanceof RateLimitedError ? error.policy : undefined,
  };
}

export const INTERNAL_ERROR: ErrorDescriptor = {
  code: CATALOGUE.Internal.code,
  reason: 'INTERNAL',
  message: CATALOGUE.Internal.reasons.INTERNAL,
};

/** `/problems` is the page that explains each reason. */
export function toProblemDetails(refusal: ErrorDescriptor, place: ProblemContext): ProblemDetails {
  const { status, title } = HTTP_ERRORS[isHttpCode(refusal.code) ? refusal.code : 'INTERNAL_SERVER_ERROR'];
  return {
    type: `/problems#${refusal.reason}`,
    title,
    status,
    detail: refusal.message,
    instance: place.instance,
    code: refusal.code,
    reason: refusal.reason,
    ...(refusal.fields === undefined ? {} : { errors: refusal.fields }),
    request_id: place.requestId,
  };
}

export function httpStatusOf({ code }: ErrorDescriptor): number {
  return HTTP_ERRORS[isHttpCode(code) ? code : 'INTERNAL_SERVER_ERROR'].status;
}

function isHttpCode(code: string): code is HttpErrorCode {
  return Object.hasOwn(HTTP_ERRORS, code);
}
