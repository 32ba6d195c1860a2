/**
 * Hands on what is added, one batch at a time: at once while little happens, in fewer and larger batches the more does.
 *
 * @param flush handles a batch; when it rejects, whatever waits is dropped
 * @returns adds items; it returns at once and never throws
 */
export function createBatcher<T>(
  maxBatchSize: number,
  flush: (batch: readonly T[]) => Promise<void>,
): (items: readonly T[]) => void {
  const waiting: T[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    try {
      while (waiting.length > 0) await flush(waiting.splice(0, maxBatchSize));
    } catch {
      waiting.length = 0;
    } finally {
      running = false;
    }
  }

  return (items) => {
    waiting.push(...items);
    if (!running) void run();
  };
}
