const MOST_AT_ONCE = 8;

/** Runs many tasks with a fixed concurrency. */
export async function atOnce(things: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = things.values();
  await Promise.all(
    Array.from({ length: MOST_AT_ONCE }, async () => {
      for (const thing of left) await thing();
    }),
  );
}
