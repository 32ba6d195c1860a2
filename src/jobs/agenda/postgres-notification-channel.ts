import { BaseNotificationChannel, toJobId, type JobNotification } from 'agenda';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { DatabaseAddress } from '../../database/client/client-options.js';
import { statement } from '../../database/connection/statement.js';
import {
  startNotificationListener,
  type NotificationListener,
} from '../../database/notifications/notification-listener.js';

const CHANNEL = 'convene_jobs';
const PROBE_INTERVAL_MS = 10_000;

/** Detects a silent connection. */
const PROBE = statement('jobs_listener_alive', 'select 1');

const NOTIFICATION = z.object({
  jobId: z.string().transform(toJobId),
  jobName: z.string(),
  nextRunAt: z.coerce.date().nullable(),
  priority: z.number(),
  timestamp: z.coerce.date(),
}) satisfies z.ZodType<JobNotification>;

/**
 * Notifies every process through PostgreSQL that a job was saved, with either backend.
 *
 * Reason: the channel of Agenda's PostgreSQL backend does not release its client when LISTEN fails, which exhausts the
 * pool. It also publishes three further notifications per job, which no process needs.
 */
export class PostgresNotificationChannel extends BaseNotificationChannel {
  readonly #address: DatabaseAddress;
  readonly #pool: Pool;
  #listener: NotificationListener | null = null;

  /** @param pool sends the notifications. The listener has its own connection. */
  constructor(address: DatabaseAddress, pool: Pool) {
    super();
    this.#address = address;
    this.#pool = pool;
  }

  /** Resolves also when LISTEN has failed. Agenda's regular poll finds the jobs whose notification was lost. */
  override async connect(): Promise<void> {
    this.#listener = await startNotificationListener({
      ...this.#address,
      channel: CHANNEL,
      poll: async (read, { kind, payloads }) => {
        if (kind === 'interval') await read(PROBE, []);
        payloads.forEach((payload) => {
          this.#receive(payload);
        });
      },
      pollIntervalMs: PROBE_INTERVAL_MS,
      health: {
        reportFailure: (error) => {
          this.emit('error', error);
        },
        reportSuccess: () => undefined,
      },
    });
    this.setState('connected');
  }

  override async disconnect(): Promise<void> {
    this.handlers.clear();
    this.setState('disconnected');
    await this.#listener?.stop();
  }

  override async publish(notification: JobNotification): Promise<void> {
    await this.#pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notification)]);
  }

  #receive(payload: string): void {
    try {
      void this.notifyHandlers(NOTIFICATION.parse(JSON.parse(payload)));
    } catch (error) {
      this.emit('error', error);
    }
  }
}
