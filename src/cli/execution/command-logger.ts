import type { Logger } from 'pino';
import type { Settings } from '../../config/index.js';
import { createErrorLogger } from '../../output/logger.js';

const QUIET_LEVELS = ['error', 'fatal', 'silent'] as const satisfies readonly Settings['LOG_LEVEL'][];

/** Creates a logger of warnings and errors on standard error, which keeps standard output for the result. */
export function createCommandLogger(level: Settings['LOG_LEVEL']): Logger {
  return createErrorLogger(QUIET_LEVELS.find((quiet) => quiet === level) ?? 'warn');
}
