import { limitRepetitions } from '../../async/limit-repetitions.js';
import { isError } from '../../errors/index.js';
import { sqlStateOf } from './database-errors.js';
import { redactErrorMessage } from './redact-error.js';

/** A pino logger is one. */
interface WarningLogger {
  warn(fields: object, message: string): void;
}

/** Receives the causes for which requests get status 503, and the driver's messages about broken connections. */
export interface UnavailabilityLog {
  readonly reportFailure: (cause: unknown) => void;
  readonly reportMessage: (message: string) => void;
}

/** Logs each cause once a minute, with the number of failures since. An outage would otherwise fill the log. */
export function createUnavailabilityLog(log: WarningLogger): UnavailabilityLog {
  const countToLog = limitRepetitions();
  const warn = (key: string, fields: object, message: string): void => {
    const failures = countToLog(key);
    if (failures !== null) log.warn({ ...fields, failures }, message);
  };
  return {
    reportFailure(cause) {
      const text = redactErrorMessage(cause);
      const sqlstate = isError(cause) ? sqlStateOf(cause) : null;
      warn(sqlstate ?? text, { cause: text, sqlstate }, 'The database is unavailable; requests get status 503');
    },
    reportMessage(message) {
      warn(message, {}, message);
    },
  };
}
