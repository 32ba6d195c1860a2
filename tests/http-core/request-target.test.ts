import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HttpError } from '../../src/http-core/http-error.js';
import { parseQueryString, repeatedNames } from '../../src/http-core/request-target.js';

describe('parseQueryString', () => {
  it.each<[string, [string, string][]]>([
    ['/path', []],
    ['/path?', []],
    ['/path?&&', []],
    ['/path?a', [['a', '']]],
    ['/path?a=', [['a', '']]],
    ['/path?=a', [['', 'a']]],
    ['/path?a=b=c', [['a', 'b=c']]],
    ['/path?a=b?c', [['a', 'b?c']]],
    ['/path?a=b;c=d', [['a', 'b;c=d']]],
    ['/path?a+b=c+%2B', [['a b', 'c +']]],
    ['/path?%61=%C3%A4', [['a', '\u00e4']]],
    [
      '/path?a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['/path?__proto__=1', [['__proto__', '1']]],
    ['/path?a=%00', [['a', '\u0000']]],
  ])('parses %s', (url, parameters) => {
    expect(parseQueryString(url)).toEqual(parameters);
  });

  it.each(['%', '%z', '%zz', '%4', 'a=%', '%ff', '%c3', '%c3%28', '%c0%80', '%ed%a0%80', '%f4%90%80%80', 'a=1&b=%zz'])(
    'rejects ?%s',
    (query) => {
      expect(() => parseQueryString(`/path?${query}`)).toThrow(HttpError);
    },
  );

  it('parses every output of URLSearchParams', () => {
    const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed());
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (parameters) => {
        expect(parseQueryString(`/path?${new URLSearchParams(parameters).toString()}`)).toEqual(parameters);
      }),
    );
  });
});

describe('repeatedNames', () => {
  it('returns each name that occurs more than once', () => {
    expect([
      ...repeatedNames([
        ['a', '1'],
        ['b', '1'],
        ['a', '1'],
        ['c', '1'],
        ['a', '2'],
        ['c', ''],
      ]),
    ]).toEqual(['a', 'c']);
    expect(repeatedNames([]).size).toBe(0);
  });
});
