import { setTimeout as delay } from 'node:timers/promises';
import { Agenda, type NotificationChannel } from 'agenda';
import { z } from 'zod';
import type { HealthMonitor } from '../../async/health-monitor.js';
import type { JobStorage } from './job-storage.js';
import { createResilientRepository, type ResilientRepository } from './resilient-repository.js';

export interface AgendaOptions {
  readonly storage: JobStorage;
  readonly notifications: NotificationChannel;
  readonly workerName: string;
  /** Called with the ids of scheduled tasks, when they are due. */
  readonly onDue: (taskIds: readonly string[]) => void;
  readonly health: HealthMonitor;
}

export interface RunningAgenda {
  /** @throws Error when the storage fails */
  schedule(taskIds: readonly string[], at: Date): Promise<void>;
  stop(): Promise<void>;
}

const JOB = 'outbox-tasks';
const PROCESS_INTERVAL_MS = 1_000;
/** Short, because a job only submits its tasks, and because Agenda keeps a timer of half this length for each job. */
const LOCK_LIFETIME_MS = 1_000;
const LOCK_LIMIT = 100;
const CONCURRENCY = 20;

const JOB_DATA = z.object({ taskIds: z.array(z.uuid()) });

/**
 * Starts Agenda on a storage. Agenda decides when, and in which process, a task is dispatched.
 *
 * A job contains only the ids of tasks, and ends when they are submitted. Only the outbox records whether tasks
 * succeed, and when they are retried.
 *
 * @throws Error when the storage cannot be reached
 */
export async function startAgenda(options: AgendaOptions): Promise<RunningAgenda> {
  const { storage, health } = options;
  await storage.connect();
  const resilient = createResilientRepository(
    storage.repository,
    { lockLifetimeMs: LOCK_LIFETIME_MS, processEveryMs: PROCESS_INTERVAL_MS },
    health,
  );
  const agenda = createAgenda(options, resilient);
  agenda.define(JOB, async (job) => {
    options.onDue(JOB_DATA.parse(job.attrs.data).taskIds);
  });
  await agenda.start();
  return {
    async schedule(taskIds, at) {
      await agenda.schedule(at, JOB, { taskIds });
    },
    async stop() {
      await agenda.stop();
      await delay(resilient.remainingTimersMs());
    },
  };
}

function createAgenda(
  { storage, notifications, workerName }: AgendaOptions,
  { repository }: ResilientRepository,
): Agenda {
  return new Agenda({
    name: workerName,
    backend: {
      name: storage.name,
      repository,
      notificationChannel: notifications,
      // The task scheduler connects and closes the storage.
      ownsConnection: false,
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
    },
    processEvery: PROCESS_INTERVAL_MS,
    maxConcurrency: CONCURRENCY,
    defaultConcurrency: CONCURRENCY,
    lockLimit: LOCK_LIMIT,
    defaultLockLimit: LOCK_LIMIT,
    defaultLockLifetime: LOCK_LIFETIME_MS,
    removeOnComplete: true,
  });
}
