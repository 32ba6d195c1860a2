import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const PAGE = 'docs/clients.md';
/** Where the clients are that the suites of `npm run conformance` run. */
const FOLDER = 'tests/conformance/clients/';
/** A comment that names a file and a region of it, and the code below. */
const SNIPPET = /<!-- ([\w.-]+)#([\w-]+) -->\n\n```ts\n(.*?)\n```/gs;

const page = readFileSync(PAGE, 'utf8');
const snippets = Array.from(page.matchAll(SNIPPET), ([, file = '', region = '', code = '']) => ({
  file,
  region,
  code,
}));

/** Returns the region without directives for ESLint. */
function readRegion(file: string, region: string): string {
  const source = readFileSync(FOLDER + file, 'utf8');
  const text = source.split(`// #region ${region}\n`)[1]?.split('\n// #endregion')[0] ?? '';
  return text.replaceAll(/^ *\/\/ eslint-.*\n/gm, '');
}

describe(`the code of ${PAGE}`, () => {
  it('names a region for each block', () => {
    expect(page.match(/^```ts$/gm)).toHaveLength(snippets.length);
    expect(snippets.length).toBeGreaterThan(0);
  });

  it.each(snippets)('is the region $region of $file, which the suites run', ({ file, region, code }) => {
    expect(code).toBe(readRegion(file, region));
  });
});
