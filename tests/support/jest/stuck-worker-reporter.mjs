const STUCK = 'A worker process has failed to exit gracefully';

/** Fails the run when Jest had to kill a worker. Jest itself only prints a line. */
export default class {
  #write = console.error;
  #isStuck = false;

  onRunStart() {
    console.error = (...words) => {
      if (String(words[0]).includes(STUCK)) this.#isStuck = true;
      this.#write.apply(console, words);
    };
  }

  onRunComplete() {
    console.error = this.#write;
    if (this.#isStuck)
      this.#write.call(console, 'The run fails: a worker process did not end by itself when its tests were done.');
  }

  getLastError() {
    return this.#isStuck ? new Error(STUCK) : undefined;
  }
}
