import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import GithubSlugger from 'github-slugger';
import { Marked, type Token } from 'marked';

const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`),
];
const marked = new Marked();

function tokensOf(file: string): Token[] {
  const tokens: Token[] = [];
  void marked.walkTokens(marked.lexer(readFileSync(file, 'utf8')), (token) => {
    tokens.push(token);
  });
  return tokens;
}

/** The ids that GitHub gives the headings of a page. */
function anchorsOf(file: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const headings = tokensOf(file).filter(({ type }) => type === 'heading');
  return new Set(headings.map(({ raw }) => slugger.slug(raw.replace(/^#+ |`|\*\*/g, '').trim())));
}

/** @returns the links that lead nowhere */
function brokenLinksOf(file: string): string[] {
  const links = tokensOf(file).flatMap((token) => (token.type === 'link' ? [String(token.href)] : []));
  return links
    .filter((href) => !/^[a-z]+:/.test(href))
    .filter((href) => {
      const [path = '', fragment] = href.split('#', 2);
      const target = path === '' ? file : posix.join(posix.dirname(file), path);
      return !existsSync(target) || (fragment !== undefined && !anchorsOf(target).has(fragment));
    });
}

describe('the links between the pages of the documentation', () => {
  it.each(FILES)('of %s lead to files and headings that exist', (file) => {
    expect(brokenLinksOf(file)).toEqual([]);
  });
});
