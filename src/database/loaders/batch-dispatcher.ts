/** A batch waits no longer for the statements before it, so that a slow statement does not delay the reads after it. */
const MAX_WAIT_MS = 2;

/**
 * Decides when the batches of one loader are sent.
 *
 * Without load, a batch is sent at the end of its event-loop iteration. Under load, it waits until a statement in
 * flight ends, so that more requests share a statement.
 */
export class BatchDispatcher {
  readonly #maxStatements: number;
  #inFlight = 0;
  readonly #waiting = new Set<() => void>();

  /** @param maxStatements while as many are in flight, batches wait */
  constructor(maxStatements: number) {
    this.#maxStatements = maxStatements;
  }

  /** Calls `send` once, in a later phase of the event loop. */
  schedule(send: () => void): void {
    // After the poll phase, in which all requests that have arrived call the loader.
    setImmediate(() => {
      if (this.#inFlight < this.#maxStatements) send();
      else this.#wait(send);
    });
  }

  /** Runs the statement of a batch. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await read();
    } finally {
      this.#inFlight -= 1;
      // After the rows of this batch are handled: the kernel may interrupt this process to run the server's.
      if (this.#waiting.size > 0) setImmediate(() => this.#sendNext());
    }
  }

  /** Another statement of the same batch may have begun meanwhile. */
  #sendNext(): void {
    const [next] = this.#waiting;
    if (this.#inFlight < this.#maxStatements) next?.();
  }

  #wait(send: () => void): void {
    const dispatch = (): void => {
      if (!this.#waiting.delete(dispatch)) return;
      clearTimeout(timer);
      send();
    };
    const timer = setTimeout(dispatch, MAX_WAIT_MS);
    this.#waiting.add(dispatch);
  }
}
