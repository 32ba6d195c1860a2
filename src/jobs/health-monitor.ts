import { redactErrorMessage } from '../database/redact-error.js';
import type { JobsLogger } from './jobs.js';

/** Remembers whether something works, and logs when that changes instead of every time it is found so. */
export interface HealthMonitor {
  readonly reportFailure: (error: unknown) => void;
  readonly reportSuccess: () => void;
  /** Why it does not work at present; null when it does. */
  readonly lastError: () => string | null;
}

/** @param what as the subject of a sentence: "The outbox" */
export function createHealthMonitor(log: JobsLogger, what: string): HealthMonitor {
  let lastError: string | null = null;
  return {
    reportFailure(error) {
      if (lastError === null) log.warn({ lastError: redactErrorMessage(error) }, `${what} cannot be reached`);
      lastError = redactErrorMessage(error);
    },
    reportSuccess() {
      if (lastError !== null) log.info({}, `${what} is reached again`);
      lastError = null;
    },
    lastError: () => lastError,
  };
}
