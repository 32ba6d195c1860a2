import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import { sqlStateOf } from './database/errors/database-errors.js';
import { redactErrorMessage, stackFrames } from './database/errors/redact-error.js';
import { isError } from './errors/index.js';

/** JSON lines for machines; coloured ones for a person who watches a development service in a terminal. */
export function createLogger(level: string, isDevelopment: boolean): Logger {
  return isDevelopment && process.stdout.isTTY ? createPrettyLogger(level) : createJsonLogger(level);
}

/** @param destination standard output, unless another is named */
export function createJsonLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(optionsFor(level, withoutRawControls), destination);
}

/** @param destination standard output, unless another is named */
export function createPrettyLogger(level: string, destination?: NodeJS.WritableStream): Logger {
  const to = destination === undefined ? {} : { destination };
  const asWritten = (line: string): string => withContinuations(withoutRawControls(line));
  return pino(
    optionsFor(level, asWritten),
    pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', ...to }),
  );
}

function optionsFor(level: string, streamWrite: (line: string) => string): LoggerOptions {
  return { level, serializers: { err: errorOf }, hooks: { streamWrite } };
}

/** How many errors deep an error is told with what caused it. */
const MOST_CAUSES = 5;

/**
 * An error as it is logged: what it is, what may be told of its message, where it happened and what caused it. Other properties are left
 * out, since those of drivers, of Node and of MikroORM hold rows, entities and whatever else they were given.
 */
export function errorOf(error: unknown, depth = 0): object {
  if (!isError(error)) return { message: redactErrorMessage(error) };
  const { cause, code, constraint, errors }: LoggedError = error;
  // Not every class of errors names itself.
  const type = error.name === 'Error' ? error.constructor.name : error.name;
  const message = redactErrorMessage(error);
  return {
    type,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(sqlStateOf(error) !== null && typeof constraint === 'string' ? { constraint } : {}),
    stack: [`${type}: ${message}`, ...stackFrames(error).map((frame) => `    ${frame}`)].join('\n'),
    ...(cause === undefined || depth === MOST_CAUSES ? {} : { cause: errorOf(cause, depth + 1) }),
    ...(Array.isArray(errors) && depth < MOST_CAUSES ? { errors: errors.map((each) => errorOf(each, depth + 1)) } : {}),
  };
}

interface LoggedError extends Error {
  readonly code?: unknown;
  readonly constraint?: unknown;
  /** Of several at once. */
  readonly errors?: unknown;
}

/** Control characters beyond those that JSON escapes, and Unicode's own ends of lines. */
const RAW_CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/** Has them stand in a line as text: some readers end a line at them, and terminals obey them. */
function withoutRawControls(line: string): string {
  return line.replaceAll(RAW_CONTROLS, (character) => `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Each pair that a backslash begins, so that an escaped backslash before an n is not taken for a line break. */
const ESCAPES = /\\(?:n(?! )|[^])/g;

/** Indents what follows a line break within a text: in a terminal, only a line of the log then begins at its edge. */
function withContinuations(line: string): string {
  return line.replaceAll(ESCAPES, (escape) => (escape === '\\n' ? '\\n    ' : escape));
}
