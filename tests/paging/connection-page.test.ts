import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  encodeCursor,
  parsePageRequest,
  toConnectionPage,
  type ConnectionPage,
  type CursorCodec,
  type PageRequest,
} from '../../src/paging/index.js';
import { errorWithFields } from '../support/error-matchers.js';

const NUMBERS: CursorCodec<number> = {
  encode: (number) => [String(number)],
  decode: ([text = '', ...more]) => (/^\d+$/.test(text) && more.length === 0 ? Number(text) : null),
};

/** The page of a list of numbers that a database would give. */
function pageOf(list: readonly number[], request: PageRequest): ConnectionPage<number> {
  const page = parsePageRequest(request, NUMBERS);
  const { after, before, backward, size } = page;
  const range = list.filter((number) => (after === null || number > after) && (before === null || number < before));
  const found = (backward ? range.toReversed() : range).slice(0, size + 1);
  return toConnectionPage(page, found, list.length, (number) => encodeCursor(NUMBERS, number));
}

const ASCENDING = fc
  .uniqueArray(fc.nat(), { maxLength: 30 })
  .map((numbers) => numbers.toSorted((one, other) => one - other));
const SIZE = fc.integer({ min: 1, max: 12 });

/** The pages of a list from its beginning. */
function pagesForward(list: readonly number[], first: number): ConnectionPage<number>[] {
  const pages: ConnectionPage<number>[] = [];
  for (let after: string | null = null, more = true; more;) {
    const page: ConnectionPage<number> = pageOf(list, { first, after });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    pages.push(page);
    ({ endCursor: after, hasNextPage: more } = page.pageInfo);
  }
  return pages;
}

/** The pages of a list from its end, the last one first. */
function pagesBackward(list: readonly number[], last: number): ConnectionPage<number>[] {
  const pages: ConnectionPage<number>[] = [];
  for (let before: string | null = null, more = true; more;) {
    const page: ConnectionPage<number> = pageOf(list, { last, before });
    expect(page.pageInfo.hasNextPage).toBe(before !== null);
    pages.push(page);
    ({ startCursor: before, hasPreviousPage: more } = page.pageInfo);
  }
  return pages;
}

describe('toConnectionPage', () => {
  it('returns each entry of the list once over all pages, forward and backward', () => {
    fc.assert(
      fc.property(ASCENDING, SIZE, (list, size) => {
        const [forward, backward] = [pagesForward(list, size), pagesBackward(list, size).toReversed()];
        expect(forward.flatMap(({ nodes }) => nodes)).toEqual(list);
        expect(backward.flatMap(({ nodes }) => nodes)).toEqual(list);
        expect(backward.length).toBe(forward.length);
        expect([...forward, ...backward].every(({ totalCount }) => totalCount === list.length)).toBe(true);
      }),
    );
  });

  it('returns the same page backward from the entry after it as forward from the entry before it', () => {
    fc.assert(
      fc.property(ASCENDING, SIZE, (list, size) => {
        const [, page, next] = pagesForward(list, size);
        if (page === undefined) return;
        const same = pageOf(list, { last: size, before: next?.pageInfo.startCursor });
        if (next !== undefined) expect([same.edges, same.pageInfo]).toEqual([page.edges, page.pageInfo]);
      }),
    );
  });

  it('returns the beginning or the end of the entries between two cursors', () => {
    const [after, before] = [encodeCursor(NUMBERS, 1), encodeCursor(NUMBERS, 5)];
    const pageBetween = (size: PageRequest) => {
      const { nodes, pageInfo } = pageOf([1, 2, 3, 4, 5], { ...size, after, before });
      return [nodes, pageInfo.hasPreviousPage, pageInfo.hasNextPage];
    };
    expect(pageBetween({ first: 2 })).toEqual([[2, 3], true, true]);
    expect(pageBetween({ last: 2 })).toEqual([[3, 4], true, true]);
    expect(pageBetween({ first: 3 })).toEqual([[2, 3, 4], true, false]);
    expect(pageBetween({ last: 3 })).toEqual([[2, 3, 4], false, true]);
  });

  it('has the cursors of its first and last entry, and null when it is empty', () => {
    const { edges, pageInfo } = pageOf([1, 2, 3], { first: 2 });
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor,
      endCursor: edges[1]?.cursor,
    });
    expect(pageOf([], { first: 2 }).pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    });
  });

  it.each([0, -1, 1_001, 1.5, NaN, Infinity])('rejects a page size of %d', (size) => {
    expect(() => pageOf([1], { first: size })).toThrow(errorWithFields('first'));
    expect(() => pageOf([1], { last: size })).toThrow(errorWithFields('last'));
  });

  it('has 100 entries without a size, and rejects two sizes', () => {
    const list = Array.from({ length: 150 }, (_, index) => index);
    expect(pageOf(list, {}).nodes).toEqual(list.slice(0, 100));
    expect(pageOf(list, { first: null, last: null }).nodes).toEqual(list.slice(0, 100));
    expect(() => pageOf(list, { first: 1, last: 1 })).toThrow(errorWithFields('last'));
  });

  it('accepts only cursors that the list produces', () => {
    const right = encodeCursor(NUMBERS, 17);
    expect(parsePageRequest({ first: 1, after: right, before: right }, NUMBERS)).toEqual({
      size: 1,
      backward: false,
      after: 17,
      before: 17,
      totalOnly: false,
    });
    expect(() => parsePageRequest({ first: 1, before: 'x' }, NUMBERS)).toThrow(errorWithFields('before'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (after) => {
          const place = placeOrNull(after);
          expect(place === null || encodeCursor(NUMBERS, place) === after).toBe(true);
        },
      ),
    );
    expect([`${right}=`, ` ${right}`, `${right}\n`, ''].map(placeOrNull)).toEqual([null, null, null, null]);
  });
});

function placeOrNull(after: string): number | null {
  try {
    return parsePageRequest({ first: 1, after }, NUMBERS).after;
  } catch (error) {
    expect(error).toEqual(errorWithFields('after'));
    return null;
  }
}
