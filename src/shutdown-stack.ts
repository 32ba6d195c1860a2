/** What was started, so that it can be stopped in reverse. */
export class ShutdownStack {
  readonly #parts: { readonly name: string; readonly stop: () => Promise<void> | void }[] = [];
  #stopping: Promise<void> | null = null;

  add(name: string, stop: () => Promise<void> | void): void {
    this.#parts.push({ name, stop });
  }

  /** Stops everything, the last started first; a part that fails does not keep the others running. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /** @throws Error the first failure, naming its part */
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
