import { CATALOGUE, type ErrorCode, type ErrorKind, type Reason, type ReasonOf } from './catalogue.js';

/** One field of the input that is wrong; `field` is a dotted path in the spelling of the GraphQL input. */
export interface FieldError {
  readonly field: string;
  /** A sentence without the value: it says what is allowed. */
  readonly message: string;
}

/** Whom a refusal concerns, for the log; clients never see it. */
export interface ErrorSubject {
  readonly userId?: string | undefined;
  readonly apiKeyId?: string | undefined;
}

export interface ErrorDetails {
  /** Replaces the catalogue's sentence where there is more to say. Must not repeat any input. */
  readonly message?: string;
  readonly fields?: readonly FieldError[];
  /** Whole seconds after which a retry can succeed. */
  readonly retryAfterSeconds?: number;
  /** Absent where that is simply whoever asks. */
  readonly subject?: ErrorSubject;
  readonly cause?: unknown;
}

/** A refusal that clients may see: everything else that is thrown is a bug and is masked. */
export abstract class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** May be added by whoever knows, on the error's way up. */
  subject: ErrorSubject;

  protected constructor(kind: ErrorKind, reason: Reason, details: ErrorDetails = {}) {
    const sentences: Partial<Record<Reason, string>> = CATALOGUE[kind].reasons;
    super(details.message ?? sentences[reason], { cause: details.cause });
    this.name = `${kind}Error`;
    this.kind = kind;
    this.code = CATALOGUE[kind].code;
    this.reason = reason;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.subject = details.subject ?? {};
  }
}

/** Well-formed, but a field has a wrong or missing value. */
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

/** No token, a bad one, or wrong credentials. */
export class UnauthenticatedError extends DomainError {
  constructor(reason: ReasonOf<'Unauthenticated'>, details?: ErrorDetails) {
    super('Unauthenticated', reason, details);
  }
}

/** The caller may know of the thing, but may not do this to it. */
export class ForbiddenError extends DomainError {
  constructor(reason: ReasonOf<'Forbidden'>, details?: ErrorDetails) {
    super('Forbidden', reason, details);
  }
}

/** It does not exist, or the caller may not know that it does. */
export class NotFoundError extends DomainError {
  constructor(reason: ReasonOf<'NotFound'>, details?: ErrorDetails) {
    super('NotFound', reason, details);
  }
}

/** The present state of things does not allow it. */
export class ConflictError extends DomainError {
  constructor(reason: ReasonOf<'Conflict'>, details?: ErrorDetails) {
    super('Conflict', reason, details);
  }
}

/** The thing has changed since the revision that the caller named. */
export class PreconditionError extends DomainError {
  constructor(reason: ReasonOf<'Precondition'> = 'REVISION_CHANGED', details?: ErrorDetails) {
    super('Precondition', reason, details);
  }
}

/** So much within so long, as it is told to whoever has used it up. */
export interface RateLimitPolicy {
  /** In lower case with hyphens; append-only, like the reasons. */
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Over a limit; `retryAfterSeconds` says when to come back. */
export class RateLimitedError extends DomainError {
  /** Undefined where the limit is not one of requests. */
  readonly policy: RateLimitPolicy | undefined;

  constructor(retryAfterSeconds: number, details: ErrorDetails & { readonly policy?: RateLimitPolicy } = {}) {
    super('RateLimited', 'RATE_LIMITED', { ...details, retryAfterSeconds });
    this.policy = details.policy;
  }
}

/** A passing condition of the service; nothing was half-written. */
export class UnavailableError extends DomainError {
  constructor(reason: ReasonOf<'Unavailable'>, details?: ErrorDetails) {
    super('Unavailable', reason, { retryAfterSeconds: 1, ...details });
  }
}
