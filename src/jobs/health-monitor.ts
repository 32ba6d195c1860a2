import { redactErrorMessage } from '../database/redact-error.js';
import type { JobsLogger } from './jobs.js';

/** Remembers whether something works, and logs when that changes instead of every time it is found so. */
export interface HealthMonitor {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
  /** Why it does not work at present; null when it does. */
  readonly reason: () => string | null;
}

/** @param what as the subject of a sentence: "The outbox" */
export function createHealthMonitor(log: JobsLogger, what: string): HealthMonitor {
  let reason: string | null = null;
  return {
    failed(error) {
      if (reason === null) log.warn({ reason: redactErrorMessage(error) }, `${what} cannot be reached`);
      reason = redactErrorMessage(error);
    },
    worked() {
      if (reason !== null) log.info({}, `${what} is reached again`);
      reason = null;
    },
    reason: () => reason,
  };
}
