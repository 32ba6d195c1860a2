import { isError, UnavailableError } from '../../errors/index.js';
import { findViolationError } from './violation-error.js';

/** The fields of a `pg` error by which it is classified; MikroORM's wrappers copy them. */
interface DatabaseFailure {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly routine?: unknown;
  readonly message: string;
}

/**
 * Passing conditions of the server or of a connection. An attempt on another connection can succeed: 08 connection,
 * 25006 read-only, 25P03 and 25P04 idle transaction, 26000 and 42P05 prepared statements of another session, 28 and
 * 3D000 login, 53 out of resources, 57P shutting down or starting up, 58030 input or output.
 */
const UNAVAILABLE_SQLSTATE = /^(08...|25006|25P0[34]|26000|28...|3D000|42P05|53...|57P0[1-5]|58030)$/;
/** The connection itself is at fault, so that later statements on it would fail too. */
const FAULTY_CONNECTION_SQLSTATE = /^(08...|25006|26000|42P05|57P0[1-5])$/;
/** 55P03 lock timeout, 57014 statement timeout. The same statement would probably time out again. */
const OVERLOAD_SQLSTATE = /^(55P03|57014)$/;
/** The routine of PostgreSQL that rejects a prepared statement whose table was altered. */
const STALE_PLAN_ROUTINE = 'RevalidateCachedQuery';
const UNAVAILABLE_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOHOST',
]);
/** Beginnings of the messages of `pg` errors without a code: a connection has ended. */
const ENDED_MESSAGES = [
  'Connection terminated',
  'Connection ended unexpectedly',
  'Client has encountered a connection error',
  'Client was closed',
  'SASL:',
];
/** Beginnings of the messages of `pg` errors without a code: no connection was available in time. */
const TIMEOUT_MESSAGES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated due to connection timeout',
  'Query read timeout',
];
/** Errors of TLS, whose codes OpenSSL and Node define. */
const TLS_CODE = /^(CERT_|CRL_|DEPTH_ZERO_|ERR_SSL_|ERR_OSSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/;
/** Beginnings of the messages of errors without a code: the server refuses TLS. */
const TLS_MESSAGES = [
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
  'The server offers no channel binding',
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
  return (
    hasCode(failure, (code) => UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_ERRNO.has(code)) ||
    beginsWithOneOf(failure, ENDED_MESSAGES) ||
    isTimeout(error) ||
    isTlsFailure(error) ||
    isStalePlan(failure)
  );
}

/** Whether the time that a request may wait for the database has passed, so that it must not wait again. */
function isTimeout(error: unknown): boolean {
  const failure = asFailure(error);
  if (failure === null) return false;
  return hasCode(failure, (code) => code === 'ETIMEDOUT') || beginsWithOneOf(failure, TIMEOUT_MESSAGES);
}

/** Whether no encrypted connection could be made, or the server's certificate was rejected. */
export function isTlsFailure(error: unknown): boolean {
  const failure = asFailure(error);
  if (failure === null) return false;
  return hasCode(failure, (code) => TLS_CODE.test(code)) || beginsWithOneOf(failure, TLS_MESSAGES);
}

/** Whether an attempt on another connection can succeed, and in time for the request. */
export function isLostConnection(error: unknown): boolean {
  return isConnectionFailure(error) && !isTimeout(error);
}

/** Whether the connection that reported the error is to be closed. */
export function isFaultOfConnection(error: unknown): boolean {
  const failure = asFailure(error);
  if (failure === null) return false;
  return (
    hasCode(failure, (code) => FAULTY_CONNECTION_SQLSTATE.test(code) || code === 'ETIMEDOUT') || isStalePlan(failure)
  );
}

/** Whether it is a serialization failure or a deadlock. The same transaction can succeed when it is retried. */
export function isConcurrencyFailure(error: unknown): boolean {
  const failure = asFailure(error);
  return failure !== null && hasCode(failure, (code) => CONCURRENCY_SQLSTATE.has(code));
}

/** Translates a database error into a domain error. @returns any other error unchanged */
export function translateDatabaseError(error: unknown): unknown {
  const violation = findViolationError(asFailure(error)?.constraint);
  if (violation !== null) return violation;
  if (isConnectionFailure(error)) return new UnavailableError('DATABASE_UNAVAILABLE', { cause: error });
  if (isConcurrencyFailure(error) || isOverload(error)) return new UnavailableError('OVERLOADED', { cause: error });
  return error;
}

function isOverload(error: unknown): boolean {
  const failure = asFailure(error);
  return failure !== null && hasCode(failure, (code) => OVERLOAD_SQLSTATE.test(code));
}

function isStalePlan({ routine }: DatabaseFailure): boolean {
  return routine === STALE_PLAN_ROUTINE;
}

function hasCode({ code }: DatabaseFailure, matches: (code: string) => boolean): boolean {
  return typeof code === 'string' && matches(code);
}

function beginsWithOneOf({ message }: DatabaseFailure, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => message.startsWith(beginning));
}
