/** The part of the storage of a browser that GraphiQL uses. */
type GraphiqlStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'>;

const GRAPHIQL_KEY = /^graphiql:/;

/**
 * Creates a storage for GraphiQL that lasts as long as the page.
 *
 * Reason: GraphiQL stores operations and variables as typed, which contain passwords and secrets.
 */
export function createMemoryStorage(): GraphiqlStorage {
  const entries = new Map<string, string>();
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    clear: () => {
      entries.clear();
    },
    get length() {
      return entries.size;
    },
  };
}

/** Removes the entries that earlier versions of the page stored in the browser. */
export function removeStoredEntries(storage: Storage): void {
  for (const key of Object.keys(storage)) {
    if (GRAPHIQL_KEY.test(key)) storage.removeItem(key);
  }
}
