import DataLoader from 'dataloader';
import { forEachInSlices, PacedOperation } from '../../async/pacing.js';
import { BatchDispatcher } from './batch-dispatcher.js';

/** Bounds the parameters of a statement. No operation costs more, so its reads of one kind are one statement. */
const MAX_KEYS_PER_STATEMENT = 25_000;

/** Reads the row of one key; null where there is none. */
export type BatchLoader<Key, Row> = (key: Key) => Promise<Row | null>;

interface BatchLoaderOptions<Key> {
  /** Splits the keys of one event-loop iteration into those of one statement each. By default, they are not split. */
  readonly split: (keys: readonly Key[]) => readonly (readonly Key[])[];
  /** Statements that run concurrently. */
  readonly maxStatements: number;
}

/**
 * Creates a loader that reads all keys of one event-loop iteration, over all requests, with one statement.
 *
 * A read starts after the call of the loader, so it sees all earlier commits. Nothing is cached between iterations. A
 * row that depends on the caller must have the caller in its key.
 *
 * A paced operation has a batch of its own, over all iterations that its lists take. Other operations do not wait for
 * it.
 *
 * @param readMany returns the rows of the keys in any order, without those that do not exist
 * @param keyText text that identifies a key
 * @param keyOfRow text of the key of a row, as `keyText` returns it
 */
export function createBatchLoader<Key, Row>(
  readMany: (keys: readonly Key[]) => Promise<Row[]>,
  keyText: (key: Key) => string,
  keyOfRow: (row: Row) => string,
  { split = (keys) => [keys], maxStatements = 1 }: Partial<BatchLoaderOptions<Key>> = {},
): BatchLoader<Key, Row> {
  const dispatcher = new BatchDispatcher(maxStatements);
  const readPart = async (part: readonly Key[], previous?: Promise<unknown>): Promise<Map<string, Row>> => {
    if (previous !== undefined) await Promise.allSettled([previous]);
    const rows = await dispatcher.run(() => readMany(part));
    return new Map(rows.map((row) => [keyOfRow(row), row]));
  };
  const loader = new DataLoader<Key, Row | null>(
    (keys) => {
      const texts = keys.map(keyText);
      const distinct = new Map(keys.map((key, index) => [texts[index], key]));
      const [part = [], ...others] = split([...distinct.values()]);
      if (others.length === 0) return readPart(part).then((rows) => texts.map((text) => rows.get(text) ?? null));
      const reads: Promise<Map<string, Row>>[] = [];
      const readOf = new Map<Key | undefined, Promise<Map<string, Row>>>();
      for (const each of [part, ...others]) {
        const read = readPart(each, reads.at(-maxStatements));
        reads.push(read);
        for (const key of each) readOf.set(key, read);
      }
      const rows = texts.map(async (text) => (await readOf.get(distinct.get(text)))?.get(text) ?? null);
      // The promise of a key adopts one of these, so that a row does not wait for the other statements.
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- promises of rows, which are not awaited
      return Promise.resolve(rows as unknown as (Row | null)[]);
    },
    {
      cache: false,
      maxBatchSize: MAX_KEYS_PER_STATEMENT,
      batchScheduleFn: (send) => {
        dispatcher.schedule(send);
      },
    },
  );
  const pacedLoaders = new WeakMap<PacedOperation, BatchLoader<Key, Row>>();
  return (key) => {
    const operation = PacedOperation.current;
    if (operation === undefined) return loader.load(key);
    const paced = pacedLoaders.get(operation) ?? createPacedLoader(operation, { readMany, keyText, keyOfRow });
    pacedLoaders.set(operation, paced);
    return paced(key);
  };
}

interface Batch<Key, Row> {
  readonly readMany: (keys: readonly Key[]) => Promise<Row[]>;
  readonly keyText: (key: Key) => string;
  readonly keyOfRow: (row: Row) => string;
}

interface PendingRead<Key, Row> {
  readonly key: Key;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates the loader of one paced operation, which has thousands of keys: each is processed in slices. */
function createPacedLoader<Key, Row>(operation: PacedOperation, batch: Batch<Key, Row>): BatchLoader<Key, Row> {
  let waiting: PendingRead<Key, Row>[] = [];
  const read = async (): Promise<void> => {
    const reads = waiting;
    waiting = [];
    try {
      const rows = await readRows(batch, reads);
      for (const { key, resolve } of reads) {
        operation.runInSlice(() => {
          resolve(rows.get(batch.keyText(key)) ?? null);
        });
      }
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) operation.runAfterSlices(read);
      waiting.push({ key, resolve, reject });
    });
}

/** Returns the rows by the texts of their keys. */
async function readRows<Key, Row>(
  { readMany, keyText, keyOfRow }: Batch<Key, Row>,
  reads: readonly PendingRead<Key, Row>[],
): Promise<ReadonlyMap<string, Row>> {
  const distinct = new Map<string, Key>();
  await forEachInSlices(reads, ({ key }) => distinct.set(keyText(key), key));
  const rows = new Map<string, Row>();
  await forEachInSlices(await readMany([...distinct.values()]), (row) => rows.set(keyOfRow(row), row));
  return rows;
}
