import { redactErrorMessage } from '../../database/errors/redact-error.js';
import { isError, OperatorError } from '../../errors/index.js';

/** Codes of MongoDB: AuthenticationFailed, and AtlasError, which Atlas returns for wrong credentials. */
const AUTHENTICATION_CODES: readonly unknown[] = [18, 8000];
/** Code of MongoDB. */
const UNAUTHORIZED = 13;
const TLS_PATTERN = /\b(tls|ssl|certificate|self-signed)\b/i;

/** Describes why MongoDB cannot store the jobs, and which part of MONGODB_URI the operator should check. */
export function describeMongoFailure(error: unknown): string {
  // Its message names the setting and the remedy.
  if (error instanceof OperatorError) return error.message;
  return `Agenda cannot keep its jobs in MongoDB (${redactErrorMessage(error)}): ${remedyFor(error)}.`;
}

function remedyFor(error: unknown): string {
  const code = isError(error) && 'code' in error ? error.code : null;
  if (AUTHENTICATION_CODES.includes(code)) return 'check the user, the password and authSource in MONGODB_URI';
  if (code === UNAUTHORIZED) return 'grant the user of MONGODB_URI the role readWrite on its database';
  if (isError(error) && TLS_PATTERN.test(error.message)) return 'check tls and tlsCAFile in MONGODB_URI';
  return 'check that the server runs, and the hosts, the database and replicaSet in MONGODB_URI';
}
