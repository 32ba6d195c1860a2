import { describe, expect, it } from '@jest/globals';
import { encodeInSlices } from '../../../src/graphql/load/encode-in-slices.js';

describe('the bytes of a body', () => {
  it('are left to the connection for a short text', async () => {
    expect(await encodeInSlices('{}')).toBe('{}');
  });

  it.each([0, 1, 2, 3])('are those of the text, wherever a piece ends (%i before)', async (before) => {
    const text = 'x'.repeat(before) + '\u{1F600}é'.repeat(40_000);
    const bytes = await encodeInSlices(text);
    expect(Buffer.isBuffer(bytes) && bytes.equals(Buffer.from(text))).toBe(true);
  });
});
