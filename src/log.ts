import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** A SQLSTATE: what PostgreSQL calls its errors by. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** JSON lines for machines; coloured ones for a person who watches a development service in a terminal. */
export function makeLog(level: string, isDevelopment: boolean): Logger {
  const options = { level, serializers: { err: errorOf } };
  if (!isDevelopment || !process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' }));
}

/**
 * An error as it is logged. The messages of database errors hold the statement with its values, which may be people's:
 * of those only the code, the constraint and where it happened are told.
 */
export function errorOf(error: Error & { readonly code?: unknown; readonly constraint?: unknown }): object {
  const { code, constraint } = error;
  if (typeof code !== 'string' || !SQLSTATE.test(code)) return pino.stdSerializers.err(error);
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at ')) ?? [];
  return { type: error.name, message: 'A statement failed', code, constraint, stack: frames.join('\n') };
}
