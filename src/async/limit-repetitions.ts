const INTERVAL_MS = 60_000;
/** Older keys are forgotten, so that keys that never repeat need no memory. */
const MAX_KEYS = 100;

/**
 * Creates a function that tells which repetitions of an event to log: the first, and then one per minute and key.
 *
 * It returns how often the event has occurred since it was last to be logged; null when it is not to be logged.
 */
export function limitRepetitions(now: () => number = () => performance.now()): (key: string) => number | null {
  const seen = new Map<string, { loggedAtMs: number; count: number }>();
  return (key) => {
    const entry = seen.get(key);
    if (entry !== undefined && now() - entry.loggedAtMs < INTERVAL_MS) {
      entry.count += 1;
      return null;
    }
    const [oldest] = seen.keys();
    if (seen.size >= MAX_KEYS && oldest !== undefined) seen.delete(oldest);
    seen.set(key, { loggedAtMs: now(), count: 0 });
    return (entry?.count ?? 0) + 1;
  };
}
