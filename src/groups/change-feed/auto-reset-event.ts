/** Wakes one sleeper. A ring that comes while nobody sleeps is heard at the next sleep. */
export class AutoResetEvent {
  #hasRung = false;
  #wake: () => void = () => undefined;

  set(): void {
    this.#hasRung = true;
    this.#wake();
  }

  /** Until it rings, if it has not rung since the last sleep. */
  async wait(): Promise<void> {
    if (!this.#hasRung)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#hasRung = false;
  }
}
