import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';

/** What is being closed takes a moment to end, a long one on a busy machine. */
const CLOSING_MS = 10_000;
const LOOK_EVERY_MS = 10;

/** Node's own, plus: a test file that leaves a timer, a connection or a process behind fails. */
export default class extends TestEnvironment {
  #file;
  #before;

  constructor(config, context) {
    super(config, context);
    this.#file = relative(config.projectConfig.rootDir, context.testPath);
    openOutputs();
    this.#before = process.getActiveResourcesInfo();
  }

  async teardown() {
    await super.teardown();
    const left = await leftBehind(this.#before);
    if (left.length === 0) return;
    throw new Error(
      `${this.#file} leaves open what would keep the process alive: ${left.join(', ')}. ` +
        `Close it in afterAll. To see where it was opened: npm test -- --detectOpenHandles "${this.#file}"`,
    );
  }
}

/** Node opens them when they are first used, which may be in the middle of a test. */
function openOutputs() {
  return [process.stdout, process.stderr];
}

/** The kinds of resources that are still active and were not before, one for each, once what is closing has closed. */
async function leftBehind(before) {
  const giveUpAt = performance.now() + CLOSING_MS;
  for (;;) {
    await delay(LOOK_EVERY_MS);
    const left = without(process.getActiveResourcesInfo(), before);
    if (left.length === 0 || performance.now() > giveUpAt) return left;
  }
}

function without(all, some) {
  const rest = [...all];
  for (const each of some) {
    const index = rest.indexOf(each);
    if (index >= 0) rest.splice(index, 1);
  }
  return rest;
}
