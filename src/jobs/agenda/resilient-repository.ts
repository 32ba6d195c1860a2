import type { JobRepository } from 'agenda';
import type { HealthMonitor } from '../../async/health-monitor.js';

/** Two settings of Agenda, on which the length of its timers rests. */
export interface AgendaTimings {
  readonly lockLifetimeMs: number;
  readonly processEveryMs: number;
}

export interface ResilientRepository {
  readonly repository: JobRepository;
  /** For how long timers that Agenda has set, and does not clear, may go on. */
  remainingTimersMs(): number;
}

/**
 * Agenda sets a timer of half a lock's life for each job that it begins, and one for each job that it took before its
 * time; they cannot be cleared, and keep the process alive.
 */
const TIMER_MARGIN_MS = 20;

/** As far away as a date can be. */
const FAR_FUTURE = new Date(8.64e15);

/**
 * Keeps Agenda 6.2 going through what it does not survive by itself.
 *
 * - It unlocks jobs without listening to whether that fails, which would end the process with an unhandled rejection.
 * - It forgets a job whose lock ran out while the job waited in memory, but goes on counting it against the lock limit;
 *   a process that was suspended for a while would never take a job again. So no lock runs out in memory. In the
 *   storage they do, after which another process may run the job once more, without harm.
 */
export function createResilientRepository(
  repository: JobRepository,
  times: AgendaTimings,
  health: HealthMonitor,
): ResilientRepository {
  let timersEndAtMs = -Infinity;
  const saveJob = heard(repository.saveJob.bind(repository), health);
  const getNextJobToRun = heard(repository.getNextJobToRun.bind(repository), health);
  // Also fails when another process has ended the job meanwhile, which is no health.
  const saveJobState = repository.saveJobState.bind(repository);
  const unlockJob = heard(repository.unlockJob.bind(repository), health);
  const unlockJobs = heard(repository.unlockJobs.bind(repository), health);

  function expectTimer(ms: number): void {
    timersEndAtMs = Math.max(timersEndAtMs, performance.now() + ms + TIMER_MARGIN_MS);
  }

  const steady = {
    saveJob,
    async getNextJobToRun(...args) {
      const job = await getNextJobToRun(...args);
      if (job === undefined) return undefined;
      // It lets go of a job that is further away than its next look.
      expectTimer(Math.min(times.processEveryMs, (job.nextRunAt?.getTime() ?? 0) - Date.now()));
      return { ...job, lockedAt: FAR_FUTURE };
    },
    async saveJobState(job, options) {
      expectTimer(times.lockLifetimeMs / 2);
      await saveJobState(job.lockedAt ? { ...job, lockedAt: new Date() } : job, options);
    },
    unlockJob: (job) => unlockJob(job).catch(() => undefined),
    unlockJobs: (ids) => unlockJobs(ids).catch(() => undefined),
  } satisfies Partial<JobRepository>;
  return {
    repository: Object.assign(repository, steady),
    remainingTimersMs: () => Math.max(0, timersEndAtMs - performance.now()),
  };
}

/** Tells the outage how every call ended; a rejection is passed on. */
function heard<Args extends unknown[], T>(
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
