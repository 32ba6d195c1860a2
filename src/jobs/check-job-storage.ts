import { mongoStorage, postgresStorage, type JobStorage } from './agenda/job-storage.js';
import { openJobsPool } from './agenda/jobs-pool.js';
import type { JobsOptions } from './jobs.js';

/**
 * Connects to the storage of Agenda, and runs no job.
 *
 * @returns the number of due jobs
 * @throws Error of the driver when the storage cannot be reached or has another schema
 */
export async function checkJobStorage(
  options: Pick<JobsOptions, 'backend' | 'databaseUrl' | 'mongodbUri'>,
): Promise<number> {
  // A broken connection is reported by the query.
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
