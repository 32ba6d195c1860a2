import DataLoader from 'dataloader';
import { OperationPace } from '../../pacing/index.js';

/** Keeps one statement's parameters within reason. No operation may cost more, so its reads of one kind are one statement. */
const MAX_KEYS_PER_STATEMENT = 25_000;

/** Reads the row of one key; null where there is none. */
export type BatchLoader<Key, Row> = (key: Key) => Promise<Row | null>;

type SendOff = () => void;

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
  const createLoader = (schedule: (sendOff: SendOff) => void): DataLoader<Key, Row | null> =>
    new DataLoader<Key, Row | null>(
      async (keys) => {
        const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
        const rows = new Map((await readMany(distinct)).map((row) => [keyOfRow(row), row]));
        return keys.map((key) => rows.get(keyText(key)) ?? null);
      },
      { cache: false, maxBatchSize: MAX_KEYS_PER_STATEMENT, batchScheduleFn: schedule },
    );
  // After the poll phase: by then every request that has arrived by now has asked.
  const loader = createLoader((sendOff) => setImmediate(sendOff));
  const paced = new WeakMap<OperationPace, DataLoader<Key, Row | null>>();
  return (key) => {
    const pace = OperationPace.current;
    if (pace === undefined) return loader.load(key);
    const own =
      paced.get(pace) ??
      createLoader((sendOff) => {
        pace.afterSlices(sendOff);
      });
    paced.set(pace, own);
    return own.load(key).then((row) => pace.turn(row));
  };
}
