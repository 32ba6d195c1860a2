import { describe, expect, it } from '@jest/globals';
import { Turns } from '../../../src/accounts/limits/turns.js';
import { refusal } from '../../support/refused.js';

/** Work that ends when it is told to. */
function work(): { run: () => Promise<string>; finish: (how?: Error) => void; begun: () => boolean } {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  return {
    run: () => { begun = true; return promise; },
    finish: (how) => { if (how === undefined) resolve('done'); else reject(how); },
    begun: () => begun,
  };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('turns', () => {
  it('are given to four at once of the same kind, and to others when one of them ends', async () => {
    const turns = new Turns();
    const all = Array.from({ length: 6 }, work);
    const results = all.map(({ run }) => turns.take('ada', run));
    await settled();
    expect(all.map(({ begun }) => begun())).toEqual([true, true, true, true, false, false]);
    all[2]?.finish();
    await settled();
    expect(all.map(({ begun }) => begun())).toEqual([true, true, true, true, true, false]);
    for (const { finish } of all) finish();
    expect(await Promise.all(results)).toEqual(Array(6).fill('done'));
  });

  it('of one kind do not keep others waiting', async () => {
    const turns = new Turns();
    const flood = Array.from({ length: 50 }, work);
    const results = flood.map(({ run }) => turns.take('flood', run));
    expect(await turns.take('other', () => Promise.resolve('at once'))).toBe('at once');
    for (const { finish } of flood) finish();
    await Promise.all(results);
  });

  it('are refused at once when a hundred wait, and given again once they are through', async () => {
    const turns = new Turns();
    const all = Array.from({ length: 104 }, work);
    const results = all.map(({ run }) => turns.take('ada', run));
    await expect(turns.take('ada', () => Promise.resolve('late'))).rejects.toEqual(refusal('OVERLOADED'));
    for (const { finish } of all) finish();
    await Promise.all(results);
    expect(await turns.take('ada', () => Promise.resolve('next'))).toBe('next');
  });

  it('pass on what went wrong, and go on', async () => {
    const turns = new Turns();
    const failing = work();
    const result = turns.take('ada', failing.run);
    failing.finish(new Error('boom'));
    await expect(result).rejects.toThrow('boom');
    expect(await turns.take('ada', () => Promise.resolve('next'))).toBe('next');
  });
});
