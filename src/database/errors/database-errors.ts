import { ConflictError, isError, UnavailableError, type DomainError } from '../../errors/index.js';

/** The fields of a `pg` error that decide what becomes of it; MikroORM's wrappers carry them along. */
interface DatabaseFailure {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message: string;
}

/** Unique constraints whose violation is a caller's affair; any other violation is a bug. */
const CONSTRAINT_REASONS = {
  account_username_key_unique: () => new ConflictError('USERNAME_TAKEN'),
  account_verified_email_unique: () => new ConflictError('EMAIL_TAKEN'),
} satisfies Record<string, () => DomainError>;

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
/** What `pg` says without a code when a connection ends, or none can be had in time. */
const UNAVAILABLE_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection ended unexpectedly)/;
const CONCURRENCY_SQLSTATE = new Set(['40001', '40P01']);

/** A digit is in each: what Node calls its errors by, such as EPIPE, is none. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/**
 * Those whose messages are about the server, the connection or the transaction, and so repeat no values: 08 connection, 25 and 40
 * transaction, 28 and 3D who may connect to what, 53 resources, 57 an operator, 58 the system.
 */
const TELLING_SQLSTATE = /^(08|25|28|3D|40|53|57|58)/;

/** What PostgreSQL calls an error by; null for errors of anything else. */
export function sqlStateOf(error: Error): string | null {
  const code = asFailure(error)?.code;
  return typeof code === 'string' && SQLSTATE.test(code) ? code : null;
}

/** Whether the message of such an error may be told: those of most repeat values of the statement. */
export function isLoggableSqlState(sqlstate: string): boolean {
  return TELLING_SQLSTATE.test(sqlstate);
}

function asFailure(error: unknown): DatabaseFailure | null {
  return isError(error) ? error : null;
}

/** The database was away; whatever was under way was not committed, unless it was the commit itself that was cut off. */
export function isConnectionFailure(error: unknown): boolean {
  const failure = asFailure(error);
  if (failure === null) return false;
  if (
    typeof failure.code === 'string' &&
    (UNAVAILABLE_SQLSTATE.test(failure.code) || UNAVAILABLE_ERRNO.has(failure.code))
  )
    return true;
  return UNAVAILABLE_MESSAGE.test(failure.message);
}

/** A serialization failure or deadlock: the same work, begun anew, can succeed. */
export function isConcurrencyFailure(error: unknown): boolean {
  const code = asFailure(error)?.code;
  return typeof code === 'string' && CONCURRENCY_SQLSTATE.has(code);
}

function isKnownConstraint(name: unknown): name is keyof typeof CONSTRAINT_REASONS {
  return typeof name === 'string' && Object.hasOwn(CONSTRAINT_REASONS, name);
}

/** Turns what the database threw into what callers may see; anything else comes back unchanged, as the bug it is. */
export function translateDatabaseError(error: unknown): unknown {
  const constraint = asFailure(error)?.constraint;
  if (isKnownConstraint(constraint)) return CONSTRAINT_REASONS[constraint]();
  if (isConnectionFailure(error)) return new UnavailableError('DATABASE_UNAVAILABLE', { cause: error });
  if (isConcurrencyFailure(error)) return new UnavailableError('OVERLOADED', { cause: error });
  return error;
}
