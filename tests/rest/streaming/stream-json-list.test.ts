import { describe, expect, it } from '@jest/globals';
import type { PaginatedList } from '../../../src/rest/routes/route.js';
import { streamJsonList } from '../../../src/rest/streaming/stream-json-list.js';

interface Page {
  readonly number: number;
  readonly numbers: readonly number[];
}

const PAGES = 50;
const NUMBERS_A_PAGE = 20_000;

/** Numbers in pages that are larger than the buffer of a stream. */
const LIST: PaginatedList<Page, { readonly page: number }> = {
  isComplete: () => true,
  next: ({ number }) => (number + 1 < PAGES ? { page: number + 1 } : null),
  head: () => ({ of: 'numbers' }),
  member: 'numbers',
  items: ({ numbers }) => numbers,
  tail: { next_cursor: null },
};

function pageOf(number: number): Page {
  return { number, numbers: Array.from({ length: NUMBERS_A_PAGE }, (_, index) => number * NUMBERS_A_PAGE + index) };
}

function stream(readPage: (page: number) => Promise<Page>): ReturnType<typeof streamJsonList> {
  return streamJsonList(LIST, { data: pageOf(0), variables: { page: 0 } }, ({ page }) => readPage(page));
}

describe('streamJsonList', () => {
  it('returns one JSON text with every item once', async () => {
    const text = (await stream((page) => Promise.resolve(pageOf(page))).toArray()).join('');
    const { numbers, ...around } = JSON.parse(text) as { numbers: number[] };
    expect(around).toEqual({ of: 'numbers', next_cursor: null });
    expect(numbers).toHaveLength(PAGES * NUMBERS_A_PAGE);
    expect(numbers.every((number, index) => number === index)).toBe(true);
  });

  it('reads a page only when the reader has consumed the page before', async () => {
    let pagesRead = 1;
    let charactersRead = 0;
    const chunks = stream((page) => {
      pagesRead += 1;
      return Promise.resolve(pageOf(page));
    });
    const charactersOfAPage = JSON.stringify(pageOf(PAGES - 1).numbers).length;
    for await (const chunk of chunks) {
      charactersRead += String(chunk).length;
      expect(pagesRead).toBeLessThanOrEqual(charactersRead / charactersOfAPage + 3);
    }
    expect(pagesRead).toBe(PAGES);
  });

  it('ends with the error of a page that fails', async () => {
    const chunks = stream((page) =>
      page < 3 ? Promise.resolve(pageOf(page)) : Promise.reject(new Error('page 3 is gone')),
    );
    await expect(chunks.toArray()).rejects.toThrow('page 3 is gone');
  });

  it('stops reading when the reader stops', async () => {
    let pagesRead = 1;
    const chunks = stream((page) => {
      pagesRead += 1;
      return Promise.resolve(pageOf(page));
    });
    for await (const _ of chunks) break;
    expect(chunks.destroyed).toBe(true);
    expect(pagesRead).toBeLessThanOrEqual(3);
  });

  it('writes no comma around an empty page', async () => {
    const empty = streamJsonList(
      { ...LIST, items: () => [] },
      { data: pageOf(0), variables: { page: 0 } },
      ({ page }) => Promise.resolve(pageOf(page)),
    );
    expect(JSON.parse((await empty.toArray()).join(''))).toEqual({ of: 'numbers', numbers: [], next_cursor: null });
  });
});
