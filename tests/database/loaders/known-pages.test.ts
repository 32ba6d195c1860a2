import { describe, expect, it, jest } from '@jest/globals';
import { rememberPages } from '../../../src/database/index.js';

interface Query {
  readonly list: string;
  readonly version: string | null;
}

/** Loads pages of three entries, which contain the number of the load. */
function createLoader(maxNodes = 100) {
  let loads = 0;
  const load = jest.fn(({ list }: Query): Promise<string[]> => {
    loads += 1;
    return Promise.resolve([1, 2, 3].map((entry) => `${list}${entry} of load ${loads}`));
  });
  return { load, read: rememberPages(load, { cacheKey: ({ list }) => list, maxNodes }) };
}

describe('rememberPages', () => {
  it('loads a page once while its version is the same', async () => {
    const { load, read } = createLoader();
    const first = await read({ list: 'a', version: '1' });
    expect(await read({ list: 'a', version: '1' })).toEqual(first);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('loads a page again for another version, and each page by itself', async () => {
    const { load, read } = createLoader();
    await read({ list: 'a', version: '1' });
    await read({ list: 'b', version: '1' });
    expect(await read({ list: 'a', version: '2' })).toEqual(['a1 of load 3', 'a2 of load 3', 'a3 of load 3']);
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('loads each page whose version is not known', async () => {
    const { load, read } = createLoader();
    await read({ list: 'a', version: null });
    await read({ list: 'a', version: null });
    await read({ list: 'a', version: '1' });
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('remembers no failed load', async () => {
    const { load, read } = createLoader();
    load.mockRejectedValueOnce(new Error('lost'));
    await expect(read({ list: 'a', version: '1' })).rejects.toThrow('lost');
    expect(await read({ list: 'a', version: '1' })).toHaveLength(3);
  });

  it('forgets the pages that were read least recently when there are more entries than allowed', async () => {
    const { load, read } = createLoader(8);
    for (const list of ['a', 'b', 'a', 'c', 'a', 'b']) await read({ list, version: '1' });
    expect(load.mock.calls.map(([{ list }]) => list)).toEqual(['a', 'b', 'c', 'b']);
  });
});
