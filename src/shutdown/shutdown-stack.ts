import { withTimeout } from '../async/with-timeout.js';

type Stop = () => Promise<void> | void;

interface Part {
  readonly name: string;
  readonly stop: Stop;
  /** Whether the end is awaited however long it takes. */
  readonly mustEnd: boolean;
}

/** Supervisors grant 10 s for a stop, and the process needs some of it for its end. */
const DEFAULT_LIMIT_MS = 8_000;

/** The started parts of the service, which stop in reverse order. */
export class ShutdownStack {
  readonly #parts: Part[] = [];
  readonly #limitMs: number;
  #stopping: Promise<void> | null = null;

  /** @param limitMs the time that all parts together have for their stop */
  constructor(limitMs = DEFAULT_LIMIT_MS) {
    this.#limitMs = limitMs;
  }

  /** @param options.mustEnd waits for the end of this part without a limit; false by default */
  add(name: string, stop: Stop, { mustEnd = false } = {}): void {
    this.#parts.push({ name, stop, mustEnd });
  }

  /**
   * Stops all parts, the last added first. Continues after a part that fails. When the time has passed, the remaining
   * parts are told to stop without waiting for them. A second call returns the promise of the first.
   *
   * @throws Error naming the first part that failed, or did not stop in time
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /** Runs `work`. When it fails, stops all parts and throws the error of the work. */
  async stopOnFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.stop().catch(() => undefined);
      throw error;
    }
  }

  async #stopAll(): Promise<void> {
    const endsAt = performance.now() + this.#limitMs;
    let failure: Error | null = null;
    for (const part of this.#parts.toReversed()) {
      try {
        await stopPart(part, Math.max(0, endsAt - performance.now()));
      } catch (error) {
        failure ??= new Error(`${part.name} did not stop cleanly`, { cause: error });
      }
    }
    if (failure !== null) throw failure;
  }
}

async function stopPart({ stop, mustEnd }: Part, remainingMs: number): Promise<void> {
  const stopping = Promise.resolve(stop());
  await (mustEnd ? stopping : withTimeout(remainingMs, stopping));
}
