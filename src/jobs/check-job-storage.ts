import { mongoStorage, postgresStorage, type JobStorage } from './agenda/job-storage.js';
import { openJobsPool } from './agenda/jobs-pool.js';
import type { JobsOptions } from './jobs.js';

/**
 * Looks at the place where Agenda keeps its jobs, without running any.
 *
 * @returns how many of them are due
 * @throws Error of the driver when the place cannot be reached or is not as it should be
 */
export async function checkJobStorage(
  options: Pick<JobsOptions, 'backend' | 'databaseUrl' | 'mongodbUri'>,
): Promise<number> {
  // Broken connections show in what is asked for.
  const jobsPool = openJobsPool(options.databaseUrl, () => undefined);
  try {
    const storage =
      options.backend === 'mongo' ? await mongoStorage(options.mongodbUri) : await postgresStorage(jobsPool.pool);
    return await countDue(storage);
  } finally {
    await jobsPool.close();
  }
}

async function countDue(storage: JobStorage): Promise<number> {
  try {
    await storage.connect();
    return await storage.repository.getQueueSize();
  } finally {
    await storage.close();
  }
}
