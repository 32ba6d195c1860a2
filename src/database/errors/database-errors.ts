import { isError, UnavailableError } from '../../errors/index.js';
import { findViolationError } from './violation-error.js';

/** The fields of a `pg` error by which it is classified; MikroORM's wrappers copy them. */
interface DatabaseFailure {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message: string;
}

/** SQLSTATE classes: 08 connection, 53 out of resources, 57P server shutting down or starting up. */
const UNAVAILABLE_SQLSTATE = /^(08...|53...|57P0[1-5])$/;
const UNAVAILABLE_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Beginnings of the messages of `pg` errors without a code: a connection has ended, or none was available in time. */
const UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'Connection ended unexpectedly',
  'Client has encountered a connection error',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
];
const CONCURRENCY_SQLSTATE = new Set(['40001', '40P01']);

/** Each contains a digit, unlike the error codes of Node, such as EPIPE. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/**
 * Classes whose messages contain no values of the statement: 08 connection, 25 and 40 transaction, 28 and 3D
 * authorization and database name, 53 resources, 57 operator intervention, 58 system.
 */
const LOGGABLE_SQLSTATE = /^(08|25|28|3D|40|53|57|58)/;

/** @returns null for errors that do not come from PostgreSQL */
export function sqlStateOf(error: Error): string | null {
  const code = asFailure(error)?.code;
  return typeof code === 'string' && SQLSTATE.test(code) ? code : null;
}

/** Whether the message of such an error may be logged. Most messages repeat values of the statement. */
export function isLoggableSqlState(sqlstate: string): boolean {
  return LOGGABLE_SQLSTATE.test(sqlstate);
}

function asFailure(error: unknown): DatabaseFailure | null {
  return isError(error) ? error : null;
}

/**
 * Whether the database was unavailable. The transaction was not committed, unless the commit itself was interrupted.
 */
export function isConnectionFailure(error: unknown): boolean {
  const failure = asFailure(error);
  if (failure === null) return false;
  if (
    typeof failure.code === 'string' &&
    (UNAVAILABLE_SQLSTATE.test(failure.code) || UNAVAILABLE_ERRNO.has(failure.code))
  )
    return true;
  return UNAVAILABLE_MESSAGES.some((beginning) => failure.message.startsWith(beginning));
}

/** Whether it is a serialization failure or a deadlock. The same transaction can succeed when it is retried. */
export function isConcurrencyFailure(error: unknown): boolean {
  const code = asFailure(error)?.code;
  return typeof code === 'string' && CONCURRENCY_SQLSTATE.has(code);
}

/** Translates a database error into a domain error. @returns any other error unchanged */
export function translateDatabaseError(error: unknown): unknown {
  const violation = findViolationError(asFailure(error)?.constraint);
  if (violation !== null) return violation;
  if (isConnectionFailure(error)) return new UnavailableError('DATABASE_UNAVAILABLE', { cause: error });
  if (isConcurrencyFailure(error)) return new UnavailableError('OVERLOADED', { cause: error });
  return error;
}
