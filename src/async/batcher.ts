/**
 * Creates a function that collects items and flushes them in batches, one batch at a time. The first item is flushed
 * immediately; items added during a flush form the next batches.
 *
 * @param flush handles a batch; when it rejects, the items that wait are dropped
 * @returns adds items; returns immediately and never throws
 */
export function createBatcher<T>(
  maxBatchSize: number,
  flush: (batch: readonly T[]) => Promise<void>,
): (items: readonly T[]) => void {
  const waiting: T[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    try {
      while (waiting.length > 0) await flush(waiting.splice(0, maxBatchSize));
    } catch {
      waiting.length = 0;
    } finally {
      isRunning = false;
    }
  }

  return (items) => {
    waiting.push(...items);
    if (!isRunning) void run();
  };
}
