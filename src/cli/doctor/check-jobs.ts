import type pg from 'pg';
import type { Settings } from '../../config/index.js';
import { readOutboxBacklog, type OutboxBacklog } from '../../database/outbox/outbox-backlog.js';
import { checkJobStorage } from '../../jobs/index.js';
import type { CommandDatabase } from '../command-database.js';
import type { CheckResult } from './check-result.js';

/** A service looks for tasks that are due every few seconds. */
const STUCK_AFTER_MS = 60_000;
const BACKENDS = { postgres: 'PostgreSQL', mongo: 'MongoDB' } as const satisfies Record<
  Settings['JOBS_BACKEND'],
  string
>;

/** Whether Agenda's jobs have their place, and whether what is owed gets done. */
export async function checkJobs(
  settings: Settings,
  { url, kind }: CommandDatabase,
  client: pg.Client,
): Promise<CheckResult> {
  const about = 'Jobs';
  const { JOBS_BACKEND: backend, MONGODB_URI: mongodbUri } = settings;
  try {
    await checkJobStorage({ backend, databaseUrl: url, mongodbUri });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      about,
      state: 'wrong',
      text: `Agenda cannot keep its jobs in ${BACKENDS[backend]} (${reason}): see JOBS_BACKEND${backend === 'mongo' ? ' and MONGODB_URI' : ''}.`,
    };
  }
  const unfinished = await readOutboxBacklog(client, new Date(Date.now() - STUCK_AFTER_MS));
  const { stuck } = unfinished;
  const givenUp = givenUpText(unfinished);
  if (stuck > 0 && kind !== 'started')
    return {
      about,
      state: 'wrong',
      text: `${stuck} tasks have been due for over a minute: is the service running, and what does its log say?`,
    };
  if (givenUp !== '') return { about, state: 'note', text: `given up: ${givenUp}` };
  return {
    about,
    state: 'fine',
    text: `kept in ${BACKENDS[backend]}${stuck > 0 ? `; ${stuck} tasks wait for the service to be started` : ''}`,
  };
}

function givenUpText({ failedFollowUps, failedOthers }: OutboxBacklog): string {
  return [
    ...(failedFollowUps > 0
      ? [`${failedFollowUps} of the follow-ups (see "convene follow-ups list --status failed")`]
      : []),
    ...(failedOthers > 0 ? [`${failedOthers} of the mails and other tasks (the log of the service says why)`] : []),
  ].join(', ');
}
