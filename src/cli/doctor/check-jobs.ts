import type pg from 'pg';
import { readTaskBacklog, type TaskBacklog } from '../../accounts/index.js';
import { MINUTE_MS } from '../../async/durations.js';
import type { Settings } from '../../config/index.js';
import { redactErrorMessage } from '../../database/errors/redact-error.js';
import { checkJobStorage } from '../../jobs/index.js';
import type { CommandDatabase } from '../execution/command-database.js';
import type { CheckResult } from './check-result.js';
import { describeMongoFailure } from './describe-mongo-failure.js';

/** A running service polls for due tasks every few seconds, so an older task is stuck. */
const OVERDUE_AFTER_MS = MINUTE_MS;
const BACKENDS = { postgres: 'PostgreSQL', mongo: 'MongoDB' } as const satisfies Record<
  Settings['JOBS_BACKEND'],
  string
>;

/** Checks the storage of Agenda, and counts overdue and failed outbox tasks. */
export async function checkJobs(
  settings: Settings,
  { url, kind }: CommandDatabase,
  client: pg.Client,
): Promise<CheckResult> {
  const subject = 'Jobs';
  const { JOBS_BACKEND: backend, MONGODB_URI: mongodbUri } = settings;
  try {
    await checkJobStorage({ backend, databaseUrl: url, pooler: settings.DATABASE_POOLER, mongodbUri });
  } catch (error) {
    return { subject, state: 'error', text: describeStorageFailure(backend, error) };
  }
  const backlog = await readTaskBacklog(client, new Date(Date.now() - OVERDUE_AFTER_MS));
  const { stuck } = backlog;
  const failed = describeFailedTasks(backlog);
  if (stuck > 0 && kind !== 'temporary')
    return {
      subject,
      state: 'error',
      text: `${stuck} tasks have been due for over a minute: is the service running, and what does its log say?`,
    };
  if (failed !== '') return { subject, state: 'warning', text: `given up: ${failed}` };
  return {
    subject,
    state: 'ok',
    text: `kept in ${BACKENDS[backend]}${stuck > 0 ? `; ${stuck} tasks wait for the service to be started` : ''}`,
  };
}

function describeStorageFailure(backend: Settings['JOBS_BACKEND'], error: unknown): string {
  if (backend === 'mongo') return describeMongoFailure(error);
  return `Agenda cannot keep its jobs in PostgreSQL (${redactErrorMessage(error)}): see JOBS_BACKEND.`;
}

function describeFailedTasks({ failedFollowUps, failedOthers }: TaskBacklog): string {
  return [
    ...(failedFollowUps > 0
      ? [`${failedFollowUps} of the follow-ups (see "convene follow-ups list --status failed")`]
      : []),
    ...(failedOthers > 0 ? [`${failedOthers} of the mails and other tasks (the log of the service says why)`] : []),
  ].join(', ');
}
