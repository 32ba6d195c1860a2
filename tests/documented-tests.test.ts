import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const PAGE = 'docs/security.md';
const SECTION = '## Guarantees and tests';
const SUFFIX = '.test.ts';

/** Names of the test files and folders in the second column of the table, such as `contract/rest/raw` or `faults/`. */
function documentedTests(): string[] {
  const section = readFileSync(PAGE, 'utf8').split(SECTION)[1] ?? '';
  const cells = section.split('\n').map((line) => line.split('|')[2] ?? '');
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? ''));
}

const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(SUFFIX));

function findTests(name: string): string[] {
  if (name.endsWith('/')) return files.filter((file) => file.startsWith(name)).slice(0, 1);
  const file = `${name}${SUFFIX}`;
  return files.includes(file) ? [file] : files.filter((each) => each.endsWith(`/${file}`));
}

describe(`the table of tests in ${PAGE}`, () => {
  it('names one file or folder per entry', () => {
    const names = documentedTests();
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => findTests(name).length !== 1)).toEqual([]);
  });
});
