import type { Pool } from 'pg';
import type { JobStorage, JobStorageOptions } from './job-storage.js';

/**
 * Opens the storage of the chosen backend without connecting to it. Only that backend is imported, since each takes
 * start time.
 *
 * @param pool used by the `postgres` backend, and not closed by it
 * @throws OperatorError when the URI of the MongoDB server is missing or invalid
 */
export async function openJobStorage({ backend, mongodbUri }: JobStorageOptions, pool: Pool): Promise<JobStorage> {
  if (backend === 'postgres') return (await import('./postgres-job-storage.js')).openPostgresJobStorage(pool);
  return (await import('./mongo-job-storage.js')).openMongoJobStorage(mongodbUri);
}
