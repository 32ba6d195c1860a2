import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import { sqlStateOf } from './database/errors/database-errors.js';
import { redactErrorMessage, stackFrames } from './database/errors/redact-error.js';
import { isError } from './errors/index.js';

/** Creates the logger of the service: JSON lines, or coloured text for a development service in a terminal. */
export function createLogger(level: string, isDevelopment: boolean): Logger {
  return isDevelopment && process.stdout.isTTY ? createPrettyLogger(level) : createJsonLogger(level);
}

/** @param destination standard output by default */
export function createJsonLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(optionsFor(level, withoutRawControls), destination);
}

/** @param destination standard output by default */
export function createPrettyLogger(level: string, destination?: NodeJS.WritableStream): Logger {
  const to = destination === undefined ? {} : { destination };
  const escapeLine = (line: string): string => withContinuations(withoutRawControls(line));
  return pino(
    optionsFor(level, escapeLine),
    pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', ...to }),
  );
}

function optionsFor(level: string, streamWrite: (line: string) => string): LoggerOptions {
  return { level, serializers: { err: errorOf }, hooks: { streamWrite } };
}

/** Nested causes and errors beyond this depth are not logged. */
const MAX_CAUSE_DEPTH = 5;

/**
 * Converts an error to its logged form: type, redacted message, stack and causes.
 *
 * Other properties are omitted, because errors of the driver, of Node and of MikroORM carry rows, entities and
 * arguments.
 */
export function errorOf(error: unknown, depth = 0): object {
  if (!isError(error)) return { message: redactErrorMessage(error) };
  const { cause, code, constraint, errors }: LoggedError = error;
  // Not every error class sets `name`.
  const type = error.name === 'Error' ? error.constructor.name : error.name;
  const message = redactErrorMessage(error);
  return {
    type,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(sqlStateOf(error) !== null && typeof constraint === 'string' ? { constraint } : {}),
    stack: [`${type}: ${message}`, ...stackFrames(error).map((frame) => `    ${frame}`)].join('\n'),
    ...(cause === undefined || depth === MAX_CAUSE_DEPTH ? {} : { cause: errorOf(cause, depth + 1) }),
    ...(Array.isArray(errors) && depth < MAX_CAUSE_DEPTH
      ? { errors: errors.map((each) => errorOf(each, depth + 1)) }
      : {}),
  };
}

interface LoggedError extends Error {
  readonly code?: unknown;
  readonly constraint?: unknown;
  /** Of an AggregateError. */
  readonly errors?: unknown;
}

/** Control characters that JSON does not escape, and Unicode's line separators. */
const RAW_CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/** Escapes them, because some readers end a line at them, and terminals interpret them. */
function withoutRawControls(line: string): string {
  return line.replaceAll(RAW_CONTROLS, (character) => `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Every escape sequence, so that an escaped backslash before an `n` is not taken for a line break. */
const ESCAPES = /\\(?:n(?! )|[^])/g;

/** Indents the lines after a line break in a text, so that only an entry of the log begins in the first column. */
function withContinuations(line: string): string {
  return line.replaceAll(ESCAPES, (escape) => (escape === '\\n' ? '\\n    ' : escape));
}
