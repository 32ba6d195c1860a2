import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HttpError } from '../../../src/http-core/http-error.js';
import { parseIfMatch, revisionTag } from '../../../src/rest/conditional-requests/preconditions.js';

describe('parseIfMatch', () => {
  it.each<[string | undefined, readonly number[] | null]>([
    [undefined, null],
    ['*', null],
    [' * ', null],
    ['"3"', [3]],
    [' "3" ', [3]],
    ['"3", "4"', [3, 4]],
    ['"4","3"\t,  "4"', [3, 4]],
    [', "3",, ', [3]],
    ['"999999999"', [999_999_999]],
    ['W/"3"', [0]],
    ['W/"3", "4"', [4]],
    ['"03"', [0]],
    ['"0"', [0]],
    ['"-1"', [0]],
    ['"3.0"', [0]],
    ['"1e3"', [0]],
    ['"9999999999"', [0]],
    ['"*"', [0]],
    ['""', [0]],
    ['"a,b"', [0]],
    ['"\u00e4"', [0]],
    ['W/"1f-abc", "x"', [0]],
  ])('parses %j to %j', (ifMatch, revisions) => {
    expect(parseIfMatch(ifMatch)).toEqual(revisions);
  });

  it.each([
    '',
    ',',
    '3',
    '"3',
    '3"',
    '"3" "4"',
    '"3"; "4"',
    '*, "3"',
    '"3", *',
    '**',
    'w/"3"',
    'W/3',
    'W/ "3"',
    '"a"b"',
    '"a b"',
    '"a, b"',
    '"\u0001"',
    '"\u20ac"',
  ])('rejects %j as malformed', (ifMatch) => {
    expect(() => parseIfMatch(ifMatch)).toThrow(HttpError);
  });

  it('rejects more than 10 revisions', () => {
    const list = (count: number): string =>
      Array.from({ length: count }, (_, index) => revisionTag(index + 1)).join(', ');
    expect(parseIfMatch(list(10))).toHaveLength(10);
    expect(() => parseIfMatch(list(11))).toThrow('at most 10');
    expect(parseIfMatch(`${'W/"x", '.repeat(1_000)}"3"`)).toEqual([3]);
  });

  it('parses every tag of revisionTag, whatever the separators', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 999_999_999 }), { minLength: 1, maxLength: 10 }),
        fc.constantFrom(',', ', ', ' ,\t', ',,'),
        (revisions, comma) => {
          expect(parseIfMatch(revisions.map(revisionTag).join(comma))).toEqual(
            [...new Set(revisions)].sort((one, other) => one - other),
          );
        },
      ),
    );
  });

  it('rejects a long malformed header within 200 ms', () => {
    for (const piece of [',', ' ', ' ,', '"a",', '"a" ', 'W/', '"']) {
      const begun = performance.now();
      try {
        parseIfMatch(`${piece.repeat(Math.floor(16_000 / piece.length))}!`);
      } catch {
        /* It is malformed. */
      }
      expect(performance.now() - begun).toBeLessThan(200);
    }
  });
});
