import { GraphQLError, type Source } from 'graphql';
import {
  CATALOGUE,
  DomainError,
  InvalidInputError,
  RateLimitedError,
  type ExceededPolicy,
  type FieldError,
  type ReportUnexpectedError,
} from '../../errors/index.js';
import { errorPosition } from './error-position.js';

/** The `extensions` of every error. */
export interface ErrorExtensions {
  readonly code: string;
  readonly reason: string;
  readonly requestId: string;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** The limit that was reached. */
  readonly policy?: ExceededPolicy;
  readonly [key: string]: unknown;
}

/**
 * Converts an execution error to its public form: a domain error with its reason, or a masked unexpected error.
 *
 * `originalError` is the domain error, for callers in process; null for an unexpected error. It is never serialized.
 *
 * @param source the text of the document, for executors that report lines and columns only
 */
export function toPublicError(
  error: GraphQLError,
  requestId: string,
  reportUnexpectedError: ReportUnexpectedError,
  source?: Source,
): GraphQLError {
  const domainError = unwrapDomainError(error) ?? nullArgumentError(error);
  if (domainError === null) reportUnexpectedError(error.originalError ?? error, requestId);
  return new GraphQLError(domainError?.message ?? CATALOGUE.Internal.reasons.INTERNAL.message, {
    ...errorPosition(error, source),
    originalError: domainError,
    extensions: domainError === null ? internalExtensions(requestId) : domainErrorExtensions(domainError, requestId),
  });
}

/** Wraps any thrown value. */
export function toGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) });
}

/** Whether an error has its public form already. */
export function isPublicError({ extensions }: GraphQLError): boolean {
  return typeof extensions.requestId === 'string';
}

/** Null for an error that no domain error has caused. */
export function unwrapDomainError(error: GraphQLError): DomainError | null {
  for (let cause: unknown = error; cause instanceof GraphQLError;) {
    cause = cause.originalError;
    if (cause instanceof DomainError) return cause;
  }
  return null;
}

export function domainErrorExtensions(error: DomainError, requestId: string): ErrorExtensions {
  return {
    code: error.code,
    reason: error.reason,
    ...(error.fields === undefined ? {} : { fields: error.fields }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error instanceof RateLimitedError && error.policy !== undefined ? { policy: error.policy } : {}),
    requestId,
  };
}

/** The message of both executors for a null variable of an argument that may be absent but not null. */
const NULL_ARGUMENT = /^Argument "(\w+)" of (?:non-null|required) type/;

function nullArgumentError(error: GraphQLError): InvalidInputError | null {
  // Within a selection set, graphql-js wraps its own error once more.
  const cause = error.originalError ?? error;
  const name = cause instanceof GraphQLError ? NULL_ARGUMENT.exec(cause.message)?.[1] : undefined;
  return name === undefined ? null : new InvalidInputError([{ field: name, message: 'must not be null' }]);
}

function internalExtensions(requestId: string): ErrorExtensions {
  return { code: CATALOGUE.Internal.code, reason: 'INTERNAL', requestId };
}
