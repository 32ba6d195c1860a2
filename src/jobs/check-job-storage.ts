import type { JobStorage, JobStorageOptions } from './agenda/job-storage.js';
import { openJobsPool } from './agenda/jobs-pool.js';
import { openJobStorage } from './agenda/open-job-storage.js';
import type { JobsOptions } from './jobs.js';

/**
 * Connects to the storage of Agenda, and runs no job.
 *
 * @returns the number of due jobs
 * @throws Error of the driver when the storage cannot be reached or has another schema
 * @throws OperatorError when the URI of the MongoDB server is missing or invalid
 */
export async function checkJobStorage(
  options: JobStorageOptions & Pick<JobsOptions, 'databaseUrl' | 'pooler'>,
): Promise<number> {
  // A broken connection is reported by the query.
  const jobsPool = openJobsPool({ url: options.databaseUrl, pooler: options.pooler }, () => undefined);
  try {
    return await countDue(await openJobStorage(options, jobsPool.pool));
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
