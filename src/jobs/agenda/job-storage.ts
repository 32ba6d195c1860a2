import type { JobRepository } from 'agenda';

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
