import { MINUTE_MS } from '../../async/durations.js';
import { statement, type Database } from '../../database/index.js';

const WRITE_INTERVAL_MS = MINUTE_MS;
/** Far more than there are keys; bounds the memory. */
const MAX_CACHED_KEYS = 10_000;

const UPDATE_LAST_USED = statement<never>(
  'record_api_key_use',
  `
  update api_key set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`,
);

/**
 * Records when API keys are used: at most once per minute and key across all processes. Runs beside the request, which
 * neither waits for it nor fails because of it.
 */
export class ApiKeyUsageRecorder {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  /** In insertion order, oldest first. */
  readonly #recordedAtMs = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();

  /** @param onError called with the error of each use that could not be recorded */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  record(id: string, now: Date): void {
    const recordedAtMs = this.#recordedAtMs.get(id);
    if (recordedAtMs !== undefined && now.getTime() - recordedAtMs < WRITE_INTERVAL_MS) return;
    this.#remember(id, now.getTime());
    const writing = this.#write(id, now)
      .catch(this.#onError)
      .finally(() => this.#pending.delete(writing));
    this.#pending.add(writing);
  }

  /** Resolves when all pending writes have ended. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #remember(id: string, nowMs: number): void {
    this.#recordedAtMs.delete(id);
    this.#recordedAtMs.set(id, nowMs);
    const [oldest] = this.#recordedAtMs.keys();
    if (this.#recordedAtMs.size > MAX_CACHED_KEYS && oldest !== undefined) this.#recordedAtMs.delete(oldest);
  }

  async #write(id: string, now: Date): Promise<void> {
    const values = [id, now, new Date(now.getTime() - WRITE_INTERVAL_MS)];
    await this.#database.write(UPDATE_LAST_USED, values, { idempotent: true });
  }
}
