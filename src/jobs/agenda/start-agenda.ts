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
  /** Called when tasks that were scheduled are due. */
  readonly onDue: (taskIds: readonly string[]) => void;
  readonly health: HealthMonitor;
}

export interface RunningAgenda {
  /** @throws Error when the storage fails */
  schedule(taskIds: readonly string[], at: Date): Promise<void>;
  stop(): Promise<void>;
}

const JOB = 'outbox-tasks';
const PROCESS_EVERY_MS = 1_000;
/** Short, since a job only hands its tasks on, and since Agenda keeps a timer of half this length for each job. */
const LOCK_LIFETIME_MS = 1_000;
const LOCK_LIMIT = 100;
const CONCURRENCY = 20;

const JOB_DATA = z.object({ taskIds: z.array(z.uuid()) });

/**
 * Starts Agenda on a storage: it says when a task is to be looked at, and where.
 *
 * A job of Agenda carries nothing but ids and is over once they are handed on; whether the tasks succeed, and when
 * they are tried again, is recorded in the outbox only.
 *
 * @throws Error when the storage cannot be reached
 */
export async function startAgenda(options: AgendaOptions): Promise<RunningAgenda> {
  const { storage, health } = options;
  await storage.connect();
  const steady = createResilientRepository(
    storage.repository,
    { lockLifetimeMs: LOCK_LIFETIME_MS, processEveryMs: PROCESS_EVERY_MS },
    health,
  );
  const agenda = makeAgenda(options, steady);
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
      await delay(steady.remainingTimersMs());
    },
  };
}

function makeAgenda(
  { storage, notifications, workerName }: AgendaOptions,
  { repository }: ResilientRepository,
): Agenda {
  return new Agenda({
    name: workerName,
    backend: {
      name: storage.name,
      repository,
      notificationChannel: notifications,
      // It is connected, and closed by whoever opened it.
      ownsConnection: false,
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
    },
    processEvery: PROCESS_EVERY_MS,
    maxConcurrency: CONCURRENCY,
    defaultConcurrency: CONCURRENCY,
    lockLimit: LOCK_LIMIT,
    defaultLockLimit: LOCK_LIMIT,
    defaultLockLifetime: LOCK_LIFETIME_MS,
    removeOnComplete: true,
  });
}
