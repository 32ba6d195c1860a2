import { BaseNotificationChannel, type JobNotification, toJobId } from 'agenda';
import type { Pool } from 'pg';
import { z } from 'zod';
import { connectionSettings } from './jobs-pool.js';
import { keepListening, type Listening } from './keep-listening.js';

const CHANNEL = 'convene_jobs';

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
 * The channel that comes with Agenda's PostgreSQL backend does not give its client back when LISTEN fails, which in time
 * uses up the pool, and it publishes three further notices for each job that nobody here needs.
 */
export class JobNotifications extends BaseNotificationChannel {
  readonly #databaseUrl: string;
  readonly #pool: Pool;
  #listening: Listening | null = null;

  /** @param pool sends the notices; listening has a connection of its own */
  constructor(databaseUrl: string, pool: Pool) {
    super();
    this.#databaseUrl = databaseUrl;
    this.#pool = pool;
  }

  /** Does not wait for the connection: until there is one, Agenda's own regular look finds the jobs. */
  override async connect(): Promise<void> {
    this.#listening = keepListening({
      connection: connectionSettings(this.#databaseUrl),
      channel: CHANNEL,
      onNotice: (payload) => { this.#hear(payload); },
      onError: (error) => { this.emit('error', error); },
    });
    this.setState('connected');
  }

  override async disconnect(): Promise<void> {
    this.handlers.clear();
    this.setState('disconnected');
    await this.#listening?.stop();
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
