import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Foreground, foreground, OperationPace, Slices } from '../../src/pacing/index.js';

const LONG_MS = 60_000;

function pending() {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work, end: () => end() };
}

describe('small operations', () => {
  it('are waited for to the last', async () => {
    const small = new Foreground();
    const [first, second] = [pending(), pending()];
    void small.run(() => first.work);
    void small.run(() => second.work);
    const state = { isQuiet: false };
    const quiet = small.quiet(LONG_MS).then(() => {
      state.isQuiet = true;
    });
    first.end();
    await turn();
    expect(state.isQuiet).toBe(false);
    second.end();
    await quiet;
    expect(state.isQuiet).toBe(true);
  });

  it('are waited for no longer than asked, and not at all when there are none', async () => {
    const small = new Foreground();
    await small.quiet(LONG_MS);
    const endless = pending();
    void small.run(() => endless.work);
    await small.quiet(1);
  });

  it('that fail are over', async () => {
    const small = new Foreground();
    await expect(small.run(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await small.quiet(LONG_MS);
  });

  it('go before the next slice of a large operation', async () => {
    const small = pending();
    const done: string[] = [];
    const entries = Array.from({ length: 20 }, (_, index) => index);
    const large = new Slices().run(() => {
      const pace = OperationPace.current;
      return Promise.all(
        entries.map(async (entry) => {
          await pace?.turn(entry);
          const until = performance.now() + 2;
          while (performance.now() < until);
          done.push('slice');
        }),
      );
    });
    await turn();
    const answered = foreground.run(() => small.work).then(() => done.push('small'));
    for (let turns = 0; turns < 15; turns += 1) await turn();
    small.end();
    await Promise.all([large, answered]);
    expect(done.indexOf('small')).toBeLessThanOrEqual(3);
    expect(done).toHaveLength(entries.length + 1);
  });
});
