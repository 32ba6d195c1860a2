import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { Settings } from '../config/index.js';
import { sqlStateOf } from '../database/errors/database-errors.js';
import { redactErrorMessage, stackFrames } from '../database/errors/redact-error.js';
import { isError } from '../errors/index.js';
import { standardStream, type StandardFd } from './log-stream.js';

/** Creates the logger of the service: JSON lines, or coloured text for a development service in a terminal. */
export async function createLogger({ LOG_LEVEL, NODE_ENV, WEB_CONCURRENCY }: LoggerSettings): Promise<Logger> {
  const isPretty = NODE_ENV === 'development' && process.stdout.isTTY;
  const create = isPretty ? await loadPrettyLogger({ showsPid: WEB_CONCURRENCY > 1 }) : createJsonLogger;
  return createStandardLogger(STANDARD_OUTPUT, (destination) => create(LOG_LEVEL, destination));
}

type LoggerSettings = Pick<Settings, 'LOG_LEVEL' | 'NODE_ENV' | 'WEB_CONCURRENCY'>;

/** Creates a logger that writes JSON lines to standard error. */
export function createErrorLogger(level: string): Logger {
  return createStandardLogger(STANDARD_ERROR, (destination) => createJsonLogger(level, destination));
}

export function createJsonLogger(level: string, destination: DestinationStream): Logger {
  return pino(optionsFor(level, withoutRawControls), destination);
}

/**
 * Returns a function that creates a logger of coloured text. Imports the formatter only then, because it adds to the
 * start time.
 */
export async function loadPrettyLogger({ showsPid = false } = {}): Promise<typeof createJsonLogger> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ ignore: showsPid ? 'hostname' : 'pid,hostname', translateTime: 'HH:MM:ss' });
  const toText = (line: string): string => format(withContinuations(withoutRawControls(line)));
  return (level, destination) => pino(optionsFor(level, toText), destination);
}

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

/** The logger reports the number of dropped lines when its stream can be written again. */
function createStandardLogger(fd: StandardFd, create: (destination: DestinationStream) => Logger): Logger {
  const stream = standardStream(fd);
  const log = create(stream);
  stream.setEvents({
    onFailure: (error) => {
      if (fd === STANDARD_OUTPUT) standardStream(STANDARD_ERROR).write(describeLogFailure(error));
    },
    onRecovery: (droppedLines) => {
      log.error({ droppedLines }, 'Log lines were dropped, because the log could not be written');
    },
  });
  return log;
}

function describeLogFailure(error: unknown): string {
  return `Could not write the log to standard output (${redactErrorMessage(error)}); later lines may be dropped.\n`;
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
