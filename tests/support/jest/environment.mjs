import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';

/** Time that closing resources may take, long enough for a busy machine, in milliseconds. */
const CLOSING_MS = 10_000;
const LOOK_EVERY_MS = 10;

/** Node's environment, which also fails a test file that leaves a timer, a connection or a process open. */
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

/** Node opens them at their first use, which may be in the middle of a test. */
function openOutputs() {
  return [process.stdout, process.stderr];
}

/**
 * Returns the kinds of resources that are active now and were not before, one entry each, after closing ones have
 * closed.
 */
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
