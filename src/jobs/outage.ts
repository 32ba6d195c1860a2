import { failureText } from '../database/failure-text.js';
import type { JobsLog } from './jobs.js';

/** Remembers whether something works, and logs when that changes instead of every time it is found so. */
export interface Outage {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
  /** Why it does not work at present; null when it does. */
  readonly reason: () => string | null;
}

/** @param what as the subject of a sentence: "The outbox" */
export function watchOutage(log: JobsLog, what: string): Outage {
  let reason: string | null = null;
  return {
    failed(error) {
      if (reason === null) log.warn({ reason: failureText(error) }, `${what} cannot be reached`);
      reason = failureText(error);
    },
    worked() {
      if (reason !== null) log.info({}, `${what} is reached again`);
      reason = null;
    },
    reason: () => reason,
  };
}
