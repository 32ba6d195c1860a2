import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PROBLEM_TYPES } from '../../src/http-core/index.js';

/** Lists of reasons, which raise none. */
const LISTS = [
  'errors/catalogue.ts',
  'http-core/problem-types.ts',
  'http-core/error-descriptor.ts',
  'rest/openapi/',
  'rest/routes/',
  'web/',
];
/** Raised for any unexpected error, by `INTERNAL_ERROR` of src/http-core/error-descriptor.ts. */
const RAISED_IN_A_LIST = ['INTERNAL'];

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !LISTS.some((list) => file.startsWith(list)))
  .map((file) => readFileSync(`src/${file}`, 'utf8').replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, ''));

describe('each reason of the catalogue', () => {
  it('is raised by the code', () => {
    const reasons = PROBLEM_TYPES.flatMap((type) => Object.keys(type.reasons));
    const silent = reasons.filter((reason) => !sources.some((text) => text.includes(`'${reason}'`)));
    expect(silent.filter((reason) => !RAISED_IN_A_LIST.includes(reason))).toEqual([]);
  });

  it('has a message and an instruction, in sentences', () => {
    const texts = PROBLEM_TYPES.flatMap(({ reasons }) => Object.values(reasons));
    for (const { message, remedy } of texts) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
    }
  });
});
