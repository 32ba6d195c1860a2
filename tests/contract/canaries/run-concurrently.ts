const CONCURRENCY = 8;

/** Runs many tasks with a fixed concurrency. */
export async function runConcurrently(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = tasks.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const task of left) await task();
    }),
  );
}
