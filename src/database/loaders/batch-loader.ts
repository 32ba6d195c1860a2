import DataLoader from 'dataloader';
import { forEachInSlices, OperationPace } from '../../pacing/index.js';

/**
 * Keeps one statement's parameters within reason. No operation may cost more, so its reads of one kind are one
 * statement.
 */
const MAX_KEYS_PER_STATEMENT = 25_000;

/** Reads the row of one key; null where there is none. */
export type BatchLoader<Key, Row> = (key: Key) => Promise<Row | null>;

/**
 * Answers every read that arrives in one turn of the event loop, over all requests, with one statement.
 *
 * Each read starts after its request arrived, so it sees everything that was committed before. Nothing is
 * kept between turns. What depends on the caller must have the caller in its key.
 *
 * A paced operation gathers its reads by itself, over all the turns that a list takes: others need not wait for it.
 *
 * @param readMany gives the rows of the keys in any order, without those that do not exist
 * @param keyOfRow the text of the key that a row answers, as `keyText` writes it
 */
export function createBatchLoader<Key, Row>(
  readMany: (keys: readonly Key[]) => Promise<Row[]>,
  keyText: (key: Key) => string,
  keyOfRow: (row: Row) => string,
): BatchLoader<Key, Row> {
  const loader = new DataLoader<Key, Row | null>(
    async (keys) => {
      const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
      const rows = new Map((await readMany(distinct)).map((row) => [keyOfRow(row), row]));
      return keys.map((key) => rows.get(keyText(key)) ?? null);
    },
    {
      cache: false,
      maxBatchSize: MAX_KEYS_PER_STATEMENT,
      // After the poll phase: by then every request that has arrived by now has asked.
      batchScheduleFn: (sendOff) => setImmediate(sendOff),
    },
  );
  const paced = new WeakMap<OperationPace, BatchLoader<Key, Row>>();
  return (key) => {
    const pace = OperationPace.current;
    if (pace === undefined) return loader.load(key);
    const own = paced.get(pace) ?? createPacedLoader(pace, { readMany, keyText, keyOfRow });
    paced.set(pace, own);
    return own(key);
  };
}

interface Batch<Key, Row> {
  readonly readMany: (keys: readonly Key[]) => Promise<Row[]>;
  readonly keyText: (key: Key) => string;
  readonly keyOfRow: (row: Row) => string;
}

interface Ask<Key, Row> {
  readonly key: Key;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/** That of one paced operation: it has thousands of keys, so all that is done for each of them is done in slices. */
function createPacedLoader<Key, Row>(pace: OperationPace, batch: Batch<Key, Row>): BatchLoader<Key, Row> {
  let waiting: Ask<Key, Row>[] = [];
  const read = async (): Promise<void> => {
    const asks = waiting;
    waiting = [];
    try {
      const rows = await readRows(batch, asks);
      for (const { key, resolve } of asks) {
        pace.step(() => {
          resolve(rows.get(batch.keyText(key)) ?? null);
        });
      }
    } catch (error) {
      for (const { reject } of asks) reject(error);
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) pace.afterSlices(read);
      waiting.push({ key, resolve, reject });
    });
}

/** The rows of all asks by the texts of their keys. */
async function readRows<Key, Row>(
  { readMany, keyText, keyOfRow }: Batch<Key, Row>,
  asks: readonly Ask<Key, Row>[],
): Promise<ReadonlyMap<string, Row>> {
  const distinct = new Map<string, Key>();
  await forEachInSlices(asks, ({ key }) => distinct.set(keyText(key), key));
  const rows = new Map<string, Row>();
  await forEachInSlices(await readMany([...distinct.values()]), (row) => rows.set(keyOfRow(row), row));
  return rows;
}
