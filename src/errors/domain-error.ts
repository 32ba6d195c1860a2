import {
  CATALOGUE,
  type ErrorCode,
  type ErrorKind,
  type Reason,
  type ReasonOf,
  type ReasonTexts,
} from './catalogue.js';

/** An invalid field of the input. `field` is a dotted path of GraphQL input names. */
export interface FieldError {
  readonly field: string;
  /** A sentence that states what is allowed, without the value. */
  readonly message: string;
}

/** Account or API key that an error is about. Logged, never sent to the client. */
export interface ErrorSubject {
  readonly userId?: string | undefined;
  readonly apiKeyId?: string | undefined;
}

export interface ErrorDetails {
  /** Replaces the message of the catalogue. Must not echo input. */
  readonly message?: string;
  readonly fields?: readonly FieldError[];
  /** Seconds after which a retry can succeed, a whole number. */
  readonly retryAfterSeconds?: number;
  /** Absent when the error is about the caller. */
  readonly subject?: ErrorSubject;
  readonly cause?: unknown;
}

/** An error that clients may see. Any other error is unexpected and is masked. */
export abstract class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Set by a caller that knows the account or API key. Logged, never sent to the client. */
  subject: ErrorSubject;

  protected constructor(kind: ErrorKind, reason: Reason, details: ErrorDetails = {}) {
    const texts: Partial<Record<Reason, ReasonTexts>> = CATALOGUE[kind].reasons;
    super(details.message ?? texts[reason]?.message, { cause: details.cause });
    this.name = `${kind}Error`;
    this.kind = kind;
    this.code = CATALOGUE[kind].code;
    this.reason = reason;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.subject = details.subject ?? {};
  }
}

/** A field of a well-formed request has an invalid or missing value. */
export class InvalidInputError extends DomainError {
  readonly invalidReason: ReasonOf<'InvalidInput'>;

  constructor(
    fields: readonly FieldError[],
    reason: ReasonOf<'InvalidInput'> = 'INVALID_INPUT',
    details?: ErrorDetails,
  ) {
    super('InvalidInput', reason, { ...details, fields });
    this.invalidReason = reason;
  }
}

/** The token is missing or invalid, or the credentials are wrong. */
export class UnauthenticatedError extends DomainError {
  constructor(reason: ReasonOf<'Unauthenticated'>, details?: ErrorDetails) {
    super('Unauthenticated', reason, details);
  }
}

/** The caller may see the resource, but lacks the right to the operation. */
export class ForbiddenError extends DomainError {
  constructor(reason: ReasonOf<'Forbidden'>, details?: ErrorDetails) {
    super('Forbidden', reason, details);
  }
}

/** The resource does not exist, or the caller may not see it. */
export class NotFoundError extends DomainError {
  constructor(reason: ReasonOf<'NotFound'>, details?: ErrorDetails) {
    super('NotFound', reason, details);
  }
}

/** The current state of the resource does not allow the operation. */
export class ConflictError extends DomainError {
  constructor(reason: ReasonOf<'Conflict'>, details?: ErrorDetails) {
    super('Conflict', reason, details);
  }
}

/** The resource has changed since the expected revision. */
export class PreconditionError extends DomainError {
  constructor(reason: ReasonOf<'Precondition'> = 'REVISION_CHANGED', details?: ErrorDetails) {
    super('Precondition', reason, details);
  }
}

/** Rate limit policy as clients see it. */
export interface RateLimitPolicy {
  /** Lower case with hyphens. Append-only, like the reasons. */
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Limit of the calls of one caller that run and wait at the same time, as clients see it. */
export interface ConcurrencyPolicy {
  /** Lower case with hyphens. Append-only, like the reasons. */
  readonly name: string;
  readonly quota: number;
  readonly unit: 'concurrent-requests';
}

export type ExceededPolicy = RateLimitPolicy | ConcurrencyPolicy;

/** A rate limit is exceeded. `retryAfterSeconds` is the wait before a retry. */
export class RateLimitedError extends DomainError {
  /** Undefined when the limit is not one of requests. */
  readonly policy: ExceededPolicy | undefined;

  constructor(retryAfterSeconds: number, details: ErrorDetails & { readonly policy?: ExceededPolicy } = {}) {
    super('RateLimited', 'RATE_LIMITED', { ...details, retryAfterSeconds });
    this.policy = details.policy;
  }
}

/** A temporary condition of the service. The request has changed nothing. */
export class UnavailableError extends DomainError {
  constructor(reason: ReasonOf<'Unavailable'>, details?: ErrorDetails) {
    super('Unavailable', reason, { retryAfterSeconds: 1, ...details });
  }
}
