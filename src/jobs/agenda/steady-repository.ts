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
  const inner = {
    getNextJobToRun: repository.getNextJobToRun.bind(repository),
    saveJobState: repository.saveJobState.bind(repository),
    unlockJob: repository.unlockJob.bind(repository),
    unlockJobs: repository.unlockJobs.bind(repository),
  };
  const steady = {
    async getNextJobToRun(...args) {
      const job = await inner.getNextJobToRun(...args);
      outage.worked();
      if (job === undefined) return undefined;
      lastUsedAtMs = performance.now();
      return { ...job, lockedAt: NEVER };
    },
    async saveJobState(job, options) {
      lastUsedAtMs = performance.now();
      await inner.saveJobState(job.lockedAt ? { ...job, lockedAt: new Date() } : job, options);
    },
    unlockJob: (job) => inner.unlockJob(job).catch(outage.failed),
    unlockJobs: (ids) => inner.unlockJobs(ids).catch(outage.failed),
  } satisfies Partial<JobRepository>;
  return { repository: Object.assign(repository, steady), lastUsedAtMs: () => lastUsedAtMs };
}
