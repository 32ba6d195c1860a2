import { ConfigError } from './config/index.js';
import { EmbeddedServerError } from './database/embedded/embedded-server.js';
import { isConnectionFailure } from './database/errors/database-errors.js';
import { DomainError, isError, OperatorError, UnavailableError } from './errors/index.js';

/** The fields of what Node and the database driver throw. */
interface SystemError extends Error {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

/** SQLSTATE: the database refuses this user (28) or does not exist (3D000). */
const REFUSED_BY_DATABASE = /^(28...|3D000)$/;

/** What to do about an error that is no bug, in a sentence or two; null for a bug, which deserves to be shown whole. */
export function explainOperationalError(error: unknown): string | null {
  if (!isError(error)) return null;
  if (error instanceof ConfigError || error instanceof EmbeddedServerError || error instanceof OperatorError)
    return error.message;
  if (error instanceof DomainError) return adviceOnRefusal(error);
  return adviceOnListening(error) ?? adviceOnDatabase(error);
}

function adviceOnRefusal(error: DomainError): string {
  if (error instanceof UnavailableError && error.cause !== undefined)
    return explainOperationalError(error.cause) ?? error.message;
  if (error.fields === undefined || error.fields.length === 0) return error.message;
  return error.fields.map(({ field, message }) => `${field} ${message}`).join('; ');
}

function adviceOnListening({ syscall, code, address, port }: SystemError): string | null {
  if (syscall !== 'listen') return null;
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

function adviceOnDatabase(error: SystemError): string | null {
  const refused = typeof error.code === 'string' && REFUSED_BY_DATABASE.test(error.code);
  if (!refused && !isConnectionFailure(error)) return null;
  // When a name stands for several addresses, the error says nothing but its code.
  const reason = error.message === '' ? String(error.code) : error.message;
  return `The database cannot be used (${reason}): see that it runs, and that DATABASE_URL is right.`;
}
