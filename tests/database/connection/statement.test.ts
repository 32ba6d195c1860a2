import { describe, expect, it } from '@jest/globals';
import utils from 'pg/lib/utils.js';
import { writeLongArrays } from '../../../src/database/connection/statement.js';

const LENGTH = 1_001;

function longArray(item: (index: number) => unknown): unknown[] {
  return Array.from({ length: LENGTH }, (_, index) => item(index));
}

describe('writeLongArrays', () => {
  it.each<[string, unknown[]]>([
    ['texts', longArray((index) => `a"b\\c,{${String(index)}} NULL`)],
    ['numbers and nulls', longArray((index) => (index % 3 === 0 ? null : index))],
    ['times', longArray((index) => new Date(index * 1_000_000))],
    ['bytes', longArray((index) => Buffer.from([index % 256, 7]))],
    ['arrays', longArray((index) => [index, null])],
  ])('writes a long array as the driver does: %s', async (_, items) => {
    expect(await writeLongArrays([items])).toEqual([utils.prepareValue(items)]);
  });

  it('returns other parameters unchanged', async () => {
    const values = [1, 'a', null, ['b'], new Date(0)];
    expect(await writeLongArrays(values)).toEqual(values);
  });
});
