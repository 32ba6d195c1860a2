import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { encodeInSlices, resultToJson, serializeInSlices } from '../../../src/graphql/pacing/result-json.js';

function nodes(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index,
    name: `Ada "${String(index)}" \u2028 \u{1F600}`,
    at: new Date(index),
    none: null,
    left: undefined,
    method: () => index,
    tags: [undefined, null, true, index / 3, [], {}],
  }));
}

const RESULTS: Readonly<Record<string, { readonly data: object; readonly [name: string]: unknown }>> = {
  empty: { data: {} },
  small: { data: { me: { id: 1 } } },
  'a long list': { data: { list: nodes(500) } },
  'lists in lists': { data: { list: Array.from({ length: 40 }, () => ({ inner: { nodes: nodes(30), more: [] } })) } },
  'many plain values': {
    data: { values: Array.from({ length: 1_000 }, (_, index) => (index % 7 ? index : undefined)) },
  },
  'a wide object whose first members have no JSON': {
    data: {
      a: undefined,
      b: () => 1,
      ...Object.fromEntries(nodes(300).map((node, index) => [`k"${String(index)}`, node])),
    },
  },
  'only members without JSON, and lists of them': {
    data: {
      wide: Object.fromEntries(nodes(300).map((_, index) => [`k${String(index)}`, undefined])),
      list: [nodes(200)],
    },
  },
  'with errors and extensions': {
    errors: [new GraphQLError('gone', { extensions: { code: 'GONE' } })],
    data: { list: nodes(200) },
    extensions: undefined,
  },
};

describe('resultToJson', () => {
  it.each(Object.entries(RESULTS))(
    'returns the text of JSON.stringify for a result serialized in slices: %s',
    async (_, result) => {
      const expected = JSON.stringify(result);
      expect(resultToJson(await serializeInSlices(result))).toBe(expected);
      expect(resultToJson({ ...result })).toBe(expected);
    },
  );
});

describe('serializeInSlices', () => {
  it('serializes a bounded number of values per slice and yields to the event loop in between', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const stringify = JSON.stringify.bind(JSON);
    const sizes: number[] = [];
    jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
      const text = stringify(value);
      sizes.push(text.length);
      now += 0.1;
      return text;
    });
    let turns = 0;
    const state = { isOver: false };
    const others = (async () => {
      for (; !state.isOver; turns += 1) await turn();
    })();
    try {
      await serializeInSlices({ data: { list: nodes(1_000) } });
    } finally {
      jest.restoreAllMocks();
    }
    state.isOver = true;
    await others;
    expect(Math.max(...sizes)).toBeLessThan(500);
    expect(turns).toBeGreaterThan(30);
  });
});

describe('encodeInSlices', () => {
  it('returns a short text unchanged', async () => {
    expect(await encodeInSlices('{}')).toBe('{}');
  });

  it.each([0, 1, 2, 3])('returns the bytes of a text, wherever a piece ends (%i characters before)', async (before) => {
    const text = 'x'.repeat(before) + '\u{1F600}é'.repeat(40_000);
    const bytes = await encodeInSlices(text);
    expect(Buffer.isBuffer(bytes) && bytes.equals(Buffer.from(text))).toBe(true);
  });
});
