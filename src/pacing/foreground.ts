import { nextTurn } from './next-turn.js';

/** How long a slice lets others go first at most, in times of what it took: so it gets on under any load. */
const MAX_REST_PER_SLICE = 8;

type Wake = () => void;

/** Small operations that are under way: paced work stands back for them. */
export class Foreground {
  #underWay = 0;
  readonly #waiting = new Set<Wake>();

  /** Runs a small operation. Until it is done, paced work stands back. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await operation();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#wakeAll();
    }
  }

  /** Resolves when no small operation is under way, at the latest after `maxMs`. */
  async quiet(maxMs: number): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, maxMs);
      this.#waiting.add(wake);
    });
    // The answer of the last one is written first.
    await nextTurn();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** Of this process. */
export const foreground = new Foreground();

/** Between two slices of paced work: serves what has arrived, and lets small operations come to their end. */
export async function letOthersGoFirst(sliceMs: number): Promise<void> {
  await nextTurn();
  await foreground.quiet(Math.ceil(MAX_REST_PER_SLICE * sliceMs));
}
