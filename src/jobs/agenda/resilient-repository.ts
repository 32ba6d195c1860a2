import type { JobRepository } from 'agenda';
import type { HealthMonitor } from '../../async/health-monitor.js';

/** Two settings of Agenda that determine the length of its timers. */
export interface AgendaTimings {
  readonly lockLifetimeMs: number;
  readonly processEveryMs: number;
}

export interface ResilientRepository {
  readonly repository: JobRepository;
  /** The time in ms until the last timer that Agenda has set, and does not clear, has fired. */
  remainingTimersMs(): number;
}

/**
 * Agenda sets a timer of half the lock lifetime for each job that it starts, and one for each job that it locked before
 * the job is due. Callers cannot clear them, and they keep the process alive.
 */
const TIMER_MARGIN_MS = 20;

/** The latest date that JavaScript can represent. */
const FAR_FUTURE = new Date(8.64e15);

/**
 * Makes a repository tolerate two faults of Agenda 6.2, and leaves out two writes. Overrides methods of `repository` in
 * place.
 *
 * - Agenda ignores the promise when it unlocks jobs, so a failure would end the process with an unhandled rejection.
 * - Agenda drops a job whose lock expired while the job waited in memory, but still counts it against the lock limit. A
 *   process that was suspended would never lock a job again. Locks therefore do not expire in memory. They expire in
 *   the storage: another process may then run the job again, which the task lease makes harmless.
 * - Agenda saves the state of a job before and after its run. A job that has not failed is locked before its run and
 *   removed after it, so only the state of a failed job is saved. The lock of a killed process expires.
 */
export function createResilientRepository(
  repository: JobRepository,
  times: AgendaTimings,
  health: HealthMonitor,
): ResilientRepository {
  let timersEndAtMs = -Infinity;
  const saveJob = withHealthReports(repository.saveJob.bind(repository), health);
  const getNextJobToRun = withHealthReports(repository.getNextJobToRun.bind(repository), health);
  // Not reported: it also fails when another process has removed the job.
  const saveJobState = repository.saveJobState.bind(repository);
  const unlockJob = withHealthReports(repository.unlockJob.bind(repository), health);
  const unlockJobs = withHealthReports(repository.unlockJobs.bind(repository), health);

  function expectTimer(ms: number): void {
    timersEndAtMs = Math.max(timersEndAtMs, performance.now() + ms + TIMER_MARGIN_MS);
  }

  const overrides = {
    saveJob,
    async getNextJobToRun(...args) {
      const job = await getNextJobToRun(...args);
      if (job === undefined) return undefined;
      // Agenda unlocks a job that is due later than its next poll.
      expectTimer(Math.min(times.processEveryMs, (job.nextRunAt?.getTime() ?? 0) - Date.now()));
      return { ...job, lockedAt: FAR_FUTURE };
    },
    async saveJobState(job, options) {
      expectTimer(times.lockLifetimeMs / 2);
      if (job.failedAt) await saveJobState(job, options);
    },
    unlockJob: (job) => unlockJob(job).catch(() => undefined),
    unlockJobs: (ids) => unlockJobs(ids).catch(() => undefined),
  } satisfies Partial<JobRepository>;
  return {
    repository: Object.assign(repository, overrides),
    remainingTimersMs: () => Math.max(0, timersEndAtMs - performance.now()),
  };
}

/** Reports the outcome of each call. A rejection is passed on. */
function withHealthReports<Args extends unknown[], T>(
  call: (...args: Args) => Promise<T>,
  health: HealthMonitor,
): (...args: Args) => Promise<T> {
  return async (...args) => {
    try {
      const result = await call(...args);
      health.reportSuccess();
      return result;
    } catch (error) {
      health.reportFailure(error);
      throw error;
    }
  };
}
