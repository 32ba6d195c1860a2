import { destination, type Logger } from 'pino';
import type { Settings } from '../config/index.js';
import { createJsonLogger } from '../logger.js';

const QUIETEST = ['error', 'fatal', 'silent'] as const satisfies readonly Settings['LOG_LEVEL'][];
const STANDARD_ERROR = 2;

/** A command answers for itself; its log is for what goes wrong beside that, and is kept out of its output. */
export function createCommandLogger(level: Settings['LOG_LEVEL']): Logger {
  return createJsonLogger(
    QUIETEST.find((quiet) => quiet === level) ?? 'warn',
    destination({ fd: STANDARD_ERROR, sync: true }),
  );
}
