/** Event for one waiter: `wait` resolves after `set` and resets the event. */
export class AutoResetEvent {
  #isSet = false;
  #wake: () => void = () => undefined;

  set(): void {
    this.#isSet = true;
    this.#wake();
  }

  /** Resolves at the next `set`; immediately when the event is set already. */
  async wait(): Promise<void> {
    if (!this.#isSet)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#isSet = false;
  }
}
