import { abortableDelay } from '../../async/abortable-delay.js';
import { createBatcher } from '../../async/batcher.js';
import type { HealthMonitor } from '../../async/health-monitor.js';
import { mongoStorage, postgresStorage, type JobStorage } from './job-storage.js';
import { openJobsPool } from './jobs-pool.js';
import { PostgresNotificationChannel } from './postgres-notification-channel.js';
import { startAgenda, type RunningAgenda } from './start-agenda.js';

export interface TaskSchedulerOptions {
  readonly backend: 'postgres' | 'mongo';
  readonly databaseUrl: string;
  /** Needed with the `mongo` backend only. */
  readonly mongodbUri: string | null;
  readonly workerName: string;
  /** Called when scheduled tasks are due, in whichever process was free for them. */
  readonly onDue: (taskIds: readonly string[]) => void;
  readonly health: HealthMonitor;
}

/** Says when tasks are to be looked at. It may forget or repeat itself, which the outbox bears. */
export interface TaskScheduler {
  /** Kept after the first attempt to reach the storage, however that ended. */
  readonly ready: Promise<void>;
  /** Has tasks looked at now. Returns at once and never throws. */
  readonly dispatch: (taskIds: readonly string[]) => void;
  /** Has a task looked at in some time. Returns at once and never throws. */
  readonly dispatchAfter: (taskId: string, inMs: number) => void;
  /** Resolves once every connection is closed and every timer over. */
  stop(): Promise<void>;
}

const RETRY_PAUSE_MS = 1_000;
/** So many tasks at most go to one process together. */
const LARGEST_JOB = 50;

/** Starts Agenda on the chosen backend, and goes on trying while that cannot be reached. */
export function startTaskScheduler(options: TaskSchedulerOptions): TaskScheduler {
  const { databaseUrl, health } = options;
  const stopping = new AbortController();
  const jobsPool = openJobsPool(databaseUrl, health.reportFailure);
  const notifications = new PostgresNotificationChannel(databaseUrl, jobsPool.pool);
  notifications.on('error', health.reportFailure);
  let storage: JobStorage | null = null;
  let agenda: RunningAgenda | null = null;

  async function tryToStart(): Promise<void> {
    try {
      storage ??=
        options.backend === 'mongo' ? await mongoStorage(options.mongodbUri) : await postgresStorage(jobsPool.pool);
      agenda = await startAgenda({ ...options, storage, notifications });
    } catch (error) {
      health.reportFailure(error);
    }
  }

  async function keepTrying(): Promise<void> {
    while (agenda === null) {
      await abortableDelay(RETRY_PAUSE_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      await tryToStart();
    }
  }

  /** By the machine's clock, as Agenda reads it. What fails is known to the outage already. */
  async function save(taskIds: readonly string[], inMs: number): Promise<void> {
    if (!stopping.signal.aborted) await agenda?.schedule(taskIds, new Date(Date.now() + inMs));
  }

  const ready = tryToStart();
  const started = ready.then(keepTrying);
  return {
    ready,
    dispatch: createBatcher<string>(LARGEST_JOB, (taskIds) => save(taskIds, 0)),
    dispatchAfter(taskId, inMs) {
      save([taskId], inMs).catch(() => undefined);
    },
    async stop() {
      stopping.abort();
      await started;
      await agenda?.stop();
      await storage?.close();
      await jobsPool.close();
    },
  };
}
