import { describe, expect, it } from '@jest/globals';
import utils from 'pg/lib/utils.js';
import { writeLongArrays } from '../../../src/database/connection/array-parameters.js';

const LENGTH = 1_001;

function many(item: (index: number) => unknown): unknown[] {
  return Array.from({ length: LENGTH }, (_, index) => item(index));
}

describe('long arrays among parameters', () => {
  it.each<[string, unknown[]]>([
    ['texts', many((index) => `a"b\\c,{${String(index)}} NULL`)],
    ['numbers and nulls', many((index) => (index % 3 === 0 ? null : index))],
    ['times', many((index) => new Date(index * 1_000_000))],
    ['bytes', many((index) => Buffer.from([index % 256, 7]))],
    ['arrays', many((index) => [index, null])],
  ])('are written as the driver writes them: %s', async (_, items) => {
    expect(await writeLongArrays([items])).toEqual([utils.prepareValue(items)]);
  });

  it('leave everything else to the driver', async () => {
    const values = [1, 'a', null, ['b'], new Date(0)];
    expect(await writeLongArrays(values)).toEqual(values);
  });
});
