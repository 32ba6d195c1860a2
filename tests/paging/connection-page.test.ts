import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  encodeCursor,
  parsePageRequest,
  toConnectionPage,
  type ConnectionPage,
  type CursorCodec,
} from '../../src/paging/index.js';
import { errorWithFields } from '../support/error-matchers.js';

const NUMBERS: CursorCodec<number> = {
  encode: (number) => [String(number)],
  decode: ([text = '', ...more]) => (/^\d+$/.test(text) && more.length === 0 ? Number(text) : null),
};

/** The page of a list of numbers that a database would give. */
function pageOf(list: readonly number[], first: number, after: string | null): ConnectionPage<number> {
  const page = parsePageRequest({ first, after }, NUMBERS);
  const { after: place } = page;
  const found = list.filter((number) => place === null || number > place).slice(0, first + 1);
  return toConnectionPage(page, found, list.length, (number) => encodeCursor(NUMBERS, number));
}

describe('toConnectionPage', () => {
  it('returns each entry of the list once over all pages', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { maxLength: 30 }), fc.integer({ min: 1, max: 12 }), (numbers, first) => {
        const list = numbers.toSorted((one, other) => one - other);
        const walked: number[] = [];
        for (let after: string | null = null, more = true; more;) {
          const page: ConnectionPage<number> = pageOf(list, first, after);
          expect(page.totalCount).toBe(list.length);
          expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
          walked.push(...page.nodes);
          ({ endCursor: after, hasNextPage: more } = page.pageInfo);
        }
        expect(walked).toEqual(list);
      }),
    );
  });

  it('has the cursors of its first and last entry, and null when it is empty', () => {
    const { edges, pageInfo } = pageOf([1, 2, 3], 2, null);
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor,
      endCursor: edges[1]?.cursor,
    });
    expect(pageOf([], 2, null).pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    });
  });

  it.each([0, -1, 1_001, 1.5, NaN, Infinity])('rejects a page size of %d', (first) => {
    expect(() => pageOf([1], first, null)).toThrow(errorWithFields('first'));
  });

  it('accepts only cursors that the list produces', () => {
    const right = encodeCursor(NUMBERS, 17);
    expect(parsePageRequest({ first: 1, after: right }, NUMBERS)).toEqual({ first: 1, after: 17, totalOnly: false });
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
