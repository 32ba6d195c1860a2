/** The started parts of the service, which stop in reverse order. */
export class ShutdownStack {
  readonly #parts: { readonly name: string; readonly stop: () => Promise<void> | void }[] = [];
  #stopping: Promise<void> | null = null;

  add(name: string, stop: () => Promise<void> | void): void {
    this.#parts.push({ name, stop });
  }

  /**
   * Stops all parts, the last added first. Continues after a part that fails. A second call returns the promise of the
   * first.
   *
   * @throws Error naming the first part that failed
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
    let failure: Error | null = null;
    for (const { name, stop } of this.#parts.toReversed()) {
      try {
        await stop();
      } catch (error) {
        failure ??= new Error(`${name} did not stop cleanly`, { cause: error });
      }
    }
    if (failure !== null) throw failure;
  }
}
