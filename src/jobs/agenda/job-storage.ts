import type { JobRepository } from 'agenda';
import type { Pool } from 'pg';

/** Storage of Agenda's jobs. */
export interface JobStorage {
  readonly name: string;
  readonly repository: JobRepository;
  /** May be called again after a failure. @throws Error of the driver when the server cannot be reached */
  connect(): Promise<void>;
  /** Resolves within 2 s, also when the server does not answer. */
  close(): Promise<void>;
}

export interface JobStorageOptions {
  /** Storage of Agenda's jobs. The outbox tasks are in PostgreSQL with either backend. */
  readonly backend: 'postgres' | 'mongo';
  /** Null with the `postgres` backend. */
  readonly mongodbUri: string | null;
}

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
