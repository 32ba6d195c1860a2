import DataLoader from 'dataloader';

/** Keeps one statement's parameters, and the wait for it, within reason. */
const MOST_KEYS_AT_ONCE = 500;

/** Reads the row of one key; null where there is none. */
export type BatchedRead<Key, Row> = (key: Key) => Promise<Row | null>;

/**
 * Answers every read that arrives in one turn of the event loop, over all requests, with one statement.
 *
 * Each read starts after its request arrived, so it sees everything that was committed before. Nothing is
 * kept between turns. What depends on the caller must have the caller in its key.
 *
 * @param readMany gives the rows of the keys in any order, without those that do not exist
 * @param keyOfRow the text of the key that a row answers, as `keyText` writes it
 */
export function batchedRead<Key, Row>(
  readMany: (keys: readonly Key[]) => Promise<Row[]>,
  keyText: (key: Key) => string,
  keyOfRow: (row: Row) => string,
): BatchedRead<Key, Row> {
  const loader = new DataLoader<Key, Row | null>(
    async (keys) => {
      const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
      const rows = new Map((await readMany(distinct)).map((row) => [keyOfRow(row), row]));
      return keys.map((key) => rows.get(keyText(key)) ?? null);
    },
    {
      cache: false,
      maxBatchSize: MOST_KEYS_AT_ONCE,
      // After the poll phase: by then every request that has arrived by now has asked.
      batchScheduleFn: (run) => setImmediate(run),
    },
  );
  return (key) => loader.load(key);
}
