import { LRUCache } from 'lru-cache';

/**
 * A row in JSON with its version: the transaction that wrote it, from the system column `xmin`, or those of several
 * rows. Every change of a row changes its version.
 */
export type Versioned<Json> = Json & { readonly version: string };

interface KnownRow<Row> {
  readonly version: string;
  readonly row: Row;
}

/** Bounds the memory: a row takes about 1 KiB. */
const MAX_ROWS = 5_000;
/**
 * Ends what is known after a minute, in case a version is given again: by a server that took over without the last
 * commits, by a restored dump, or after 4 billion transactions.
 */
export const MAX_AGE = { ttl: 60_000, ttlResolution: 1_000 };

/**
 * Rows that were read before, by key. A statement gets the versions of known rows, and returns only the rows that have
 * another version. So every read sees all earlier commits, and an unchanged row is not parsed again.
 *
 * All requests share the rows, so nothing may change them.
 */
export class KnownRows<Json, Row> {
  readonly #rows = new LRUCache<string, KnownRow<Row>>({ ...MAX_AGE, max: MAX_ROWS });
  readonly #parse: (json: Json) => Row;

  constructor(parse: (json: Json) => Row) {
    this.#parse = parse;
  }

  /** Returns what is known of each key; null for others. */
  find(keys: readonly string[]): (KnownRow<Row> | null)[] {
    return keys.map((key) => this.#rows.get(key) ?? null);
  }

  /**
   * Returns the row that a statement has found for a key.
   *
   * @param known what `find` returned for the key before the statement
   * @param changed the row, or null when its version is that of `known`
   */
  current(key: string, known: KnownRow<Row> | null | undefined, changed: Versioned<Json> | null): Row | null {
    if (changed === null) return known?.row ?? null;
    const row = this.#parse(changed);
    this.#rows.set(key, { version: changed.version, row });
    return row;
  }
}

/** The parameter of a statement for what is known of a key. */
export function versionOf(known: { readonly version: string } | null): string | null {
  return known?.version ?? null;
}

/**
 * SQL for a row as `Versioned` JSON; null when its version is known.
 *
 * @param known SQL for the version that is known; null for none
 * @param version SQL for the version of the row
 */
export function unlessKnown(known: string, version: string, columns: string): string {
  return `case when ${known} is distinct from ${version} then (
      select row_to_json(versioned) from (select ${version} as version, ${columns}) versioned
    ) end`;
}
