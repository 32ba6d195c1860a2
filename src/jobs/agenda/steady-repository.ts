import type { JobRepository } from 'agenda';
import type { Outage } from '../outage.js';

export interface SteadyRepository {
  readonly repository: JobRepository;
  /** When Agenda last took up or saved a job, on the clock of `performance.now()`; it sets timers when it does. */
  lastUsedAtMs(): number;
}

/** As far away as a date can be. */
const NEVER = new Date(8.64e15);

/**
 * Keeps Agenda 6.2 going through what it does not survive by itself.
 *
 * - It unlocks jobs without listening to whether that fails, which would end the process with an unhandled rejection.
 * - It forgets a job whose lock ran out while the job waited in memory, but goes on counting it against the lock limit;
 *   a process that was suspended for a while would never take a job again. So no lock runs out in memory. In the
 *   storage they do, after which another process may run the job once more, without harm.
 */
export function steadyRepository(repository: JobRepository, outage: Outage): SteadyRepository {
  let lastUsedAtMs = -Infinity;
  const saveJob = heard(repository.saveJob.bind(repository), outage);
  const getNextJobToRun = heard(repository.getNextJobToRun.bind(repository), outage);
  // Also fails when another process has ended the job meanwhile, which is no outage.
  const saveJobState = repository.saveJobState.bind(repository);
  const unlockJob = heard(repository.unlockJob.bind(repository), outage);
  const unlockJobs = heard(repository.unlockJobs.bind(repository), outage);

  const steady = {
    saveJob,
    async getNextJobToRun(...args) {
      const job = await getNextJobToRun(...args);
      if (job === undefined) return undefined;
      lastUsedAtMs = performance.now();
      return { ...job, lockedAt: NEVER };
    },
    async saveJobState(job, options) {
      lastUsedAtMs = performance.now();
      await saveJobState(job.lockedAt ? { ...job, lockedAt: new Date() } : job, options);
    },
    unlockJob: (job) => unlockJob(job).catch(() => undefined),
    unlockJobs: (ids) => unlockJobs(ids).catch(() => undefined),
  } satisfies Partial<JobRepository>;
  return { repository: Object.assign(repository, steady), lastUsedAtMs: () => lastUsedAtMs };
}

/** Tells the outage how every call ended; a rejection is passed on. */
function heard<Args extends unknown[], T>(call: (...args: Args) => Promise<T>, outage: Outage): (...args: Args) => Promise<T> {
  return async (...args) => {
    try {
      const result = await call(...args);
      outage.worked();
      return result;
    } catch (error) {
      outage.failed(error);
      throw error;
    }
  };
}
