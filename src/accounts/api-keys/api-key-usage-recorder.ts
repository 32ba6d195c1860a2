import type { Database } from '../../database/index.js';

const NOTED_EVERY_MS = 60_000;
/** Far more than there are keys; a bound all the same. */
const MOST_REMEMBERED = 10_000;

const NOTE = `update api_key set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`;

/**
 * Writes down when API keys are used: at most once a minute each over all processes, and beside the request, which
 * neither waits for it nor fails with it.
 */
export class ApiKeyUsageRecorder {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  /** Oldest first. */
  readonly #notedAtMs = new Map<string, number>();
  readonly #underWay = new Set<Promise<void>>();

  /** @param onError hears of each use that could not be written */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  note(id: string, now: Date): void {
    const notedAtMs = this.#notedAtMs.get(id);
    if (notedAtMs !== undefined && now.getTime() - notedAtMs < NOTED_EVERY_MS) return;
    this.#remember(id, now.getTime());
    const writing = this.#write(id, now)
      .catch(this.#onError)
      .finally(() => this.#underWay.delete(writing));
    this.#underWay.add(writing);
  }

  /** Resolves once what was noted is written, or could not be. */
  async flush(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #remember(id: string, nowMs: number): void {
    this.#notedAtMs.delete(id);
    this.#notedAtMs.set(id, nowMs);
    const [oldest] = this.#notedAtMs.keys();
    if (this.#notedAtMs.size > MOST_REMEMBERED && oldest !== undefined) this.#notedAtMs.delete(oldest);
  }

  async #write(id: string, now: Date): Promise<void> {
    await this.#database.pool.query(NOTE, [id, now, new Date(now.getTime() - NOTED_EVERY_MS)]);
  }
}
