import { inspect } from 'node:util';
import { ConfigError } from './config/index.js';
import { EmbeddedServerError } from './database/embedded/embedded-server.js';
import { isConnectionFailure, isTlsFailure } from './database/errors/database-errors.js';
import { DomainError, isError, OperatorError, UnavailableError, withSourcePositions } from './errors/index.js';

/** The fields of errors that Node and the database driver throw. */
interface SystemError extends Error {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

/** SQLSTATE class 28 (invalid authorization specification) and 3D000 (invalid catalog name). */
const CONNECTION_REJECTED = /^(28...|3D000)$/;

/** Describes an error to the operator: the explanation, or an unexpected error with its stack. */
export function describeFailure(error: unknown): string {
  return explainOperationalError(error) ?? withSourcePositions(inspect(error));
}

/**
 * Explains an error to the operator in one or two sentences: what is wrong, and what to do.
 *
 * @returns null for an unexpected error, which is to be shown with its stack
 */
export function explainOperationalError(error: unknown): string | null {
  if (!isError(error)) return null;
  if (error instanceof ConfigError || error instanceof EmbeddedServerError || error instanceof OperatorError)
    return error.message;
  if (error instanceof DomainError) return explainDomainError(error);
  return explainResourceError(error) ?? explainListenError(error) ?? explainDatabaseError(error);
}

function explainDomainError(error: DomainError): string {
  if (error instanceof UnavailableError && error.cause !== undefined)
    return explainOperationalError(error.cause) ?? error.message;
  if (error.fields === undefined || error.fields.length === 0) return error.message;
  return error.fields.map(({ field, message }) => `${field} ${message}`).join('; ');
}

function explainResourceError({ code }: SystemError): string | null {
  if (code !== 'EMFILE' && code !== 'ENFILE') return null;
  return 'This process may open too few files: allow at least 1024 (ulimit -n).';
}

function explainListenError({ syscall, code, address, port }: SystemError): string | null {
  // A worker of a cluster reports `bind`.
  if (syscall !== 'listen' && syscall !== 'bind') return null;
  const where = `Port ${String(port)} of ${String(address)}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is in use by another program: stop that one, or choose another port, as in PORT=4001 npm start.`;
    case 'EACCES':
      return `${where} may not be listened on by this user: choose one above 1023 with PORT.`;
    case 'EADDRNOTAVAIL':
      return `${String(address)} is no address of this machine: HOST names the one to listen on.`;
    default:
      return null;
  }
}

function explainDatabaseError(error: SystemError): string | null {
  const isRejected = typeof error.code === 'string' && CONNECTION_REJECTED.test(error.code);
  if (!isRejected && !isConnectionFailure(error)) return null;
  const advice = isTlsFailure(error)
    ? 'see sslmode and sslrootcert in DATABASE_URL'
    : 'see that it runs, and that DATABASE_URL is right';
  // When a host name has several addresses, Node's error has a code and no message.
  const reason = error.message === '' ? String(error.code) : error.message;
  return `The database cannot be used (${reason}): ${advice}.`;
}
