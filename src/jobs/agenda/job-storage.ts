import type { JobRepository } from 'agenda';
import type { Pool } from 'pg';

/** Storage of Agenda's jobs. */
export interface JobStorage {
  readonly name: string;
  readonly repository: JobRepository;
  /** @throws Error when the server cannot be reached; may be called again */
  connect(): Promise<void>;
  close(): Promise<void>;
}

const SERVER_SELECTION_TIMEOUT_MS = 2_000;

/** Its table is made by the migrations, so that a running service needs no right to alter any. */
export async function postgresStorage(pool: Pool): Promise<JobStorage> {
  const { PostgresBackend } = await import('@agendajs/postgres-backend');
  const backend = new PostgresBackend({ pool, ensureSchema: false, disableNotifications: true });
  return {
    name: backend.name,
    repository: backend.repository,
    connect: () => backend.connect(),
    close: () => Promise.resolve(),
  };
}

/** @param uri names the database too; its collection `agendaJobs` and the indexes are made at the first connection */
export async function mongoStorage(uri: string | null): Promise<JobStorage> {
  if (uri === null) throw new Error('The mongo backend needs the address of a MongoDB server (MONGODB_URI).');
  const { MongoBackend, MongoClient } = await import('@agendajs/mongo-backend');
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS });
  const backend = new MongoBackend({ mongo: client.db() });
  return {
    name: backend.name,
    repository: backend.repository,
    async connect() {
      await client.connect();
      await backend.connect();
    },
    close: () => client.close(),
  };
}
