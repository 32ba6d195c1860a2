import { BaseNotificationChannel, toJobId, type JobNotification } from 'agenda';
import type { Pool } from 'pg';
import { z } from 'zod';
import { statement } from '../../database/connection/statement.js';
import {
  startNotificationListener,
  type NotificationListener,
} from '../../database/notifications/notification-listener.js';

const CHANNEL = 'convene_jobs';
const PROOF_EVERY_MS = 10_000;

/** Shows a connection that has died without a word. */
const PROOF = statement('jobs_listener_alive', 'select 1');

const NOTICE = z.object({
  jobId: z.string().transform(toJobId),
  jobName: z.string(),
  nextRunAt: z.coerce.date().nullable(),
  priority: z.number(),
  timestamp: z.coerce.date(),
}) satisfies z.ZodType<JobNotification>;

/**
 * Tells every process, through PostgreSQL, that a job was saved, whichever backend keeps it.
 *
 * The channel that comes with Agenda's PostgreSQL backend does not give its client back when LISTEN fails, which in
 * time uses up the pool, and it publishes three further notices for each job that nobody here needs.
 */
export class PostgresNotificationChannel extends BaseNotificationChannel {
  readonly #databaseUrl: string;
  readonly #pool: Pool;
  #listener: NotificationListener | null = null;

  /** @param pool sends the notices; listening has a connection of its own */
  constructor(databaseUrl: string, pool: Pool) {
    super();
    this.#databaseUrl = databaseUrl;
    this.#pool = pool;
  }

  /**
   * Resolves also when nothing can be heard yet: until then, and whenever a notice is lost, Agenda's regular look finds
   * the jobs.
   */
  override async connect(): Promise<void> {
    this.#listener = await startNotificationListener({
      url: this.#databaseUrl,
      channel: CHANNEL,
      poll: async (read, { kind, payloads }) => {
        if (kind === 'regular') await read(PROOF, []);
        payloads.forEach((payload) => {
          this.#hear(payload);
        });
      },
      pollIntervalMs: PROOF_EVERY_MS,
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

  override async publish(notice: JobNotification): Promise<void> {
    await this.#pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)]);
  }

  #hear(payload: string): void {
    try {
      void this.notifyHandlers(NOTICE.parse(JSON.parse(payload)));
    } catch (error) {
      this.emit('error', error);
    }
  }
}
