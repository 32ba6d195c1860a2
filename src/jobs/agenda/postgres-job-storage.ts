import { PostgresBackend } from '@agendajs/postgres-backend';
import type { Pool } from 'pg';
import type { JobStorage } from './job-storage.js';

/** Opens the table `agenda_jobs`. The migrations create it, so a running service needs no right to alter tables. */
export function openPostgresJobStorage(pool: Pool): JobStorage {
  const backend = new PostgresBackend({ pool, ensureSchema: false, disableNotifications: true });
  return {
    name: backend.name,
    repository: backend.repository,
    connect: () => backend.connect(),
    close: () => Promise.resolve(),
  };
}
