#!/usr/bin/env node
/**
 * Finds words that the prose of the project avoids: `node scripts/check-words.mjs` prints each place and a count.
 *
 * It reads comments and identifiers of `src/` and `tests/`, and the pages of `docs/`. Strings of code and code of pages
 * are left out, since they may quote messages of the contract. The exit code is 1 when a word was found.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDERS = ['src', 'tests', 'docs'];
const WORDS = /\b(whoever|nobody|somebody|everybody)\b/gi;
const STRINGS = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
]);
const READERS = { '.ts': withoutStrings, '.md': withoutCode };

const found = FOLDERS.flatMap(listFiles).flatMap(findWords);
for (const place of found) console.log(place);
console.log(`${found.length} words to replace: name the user, caller, client, process, administrator or operator.`);
process.exitCode = found.length === 0 ? 0 : 1;

function listFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => extname(file) in READERS && !file.includes('generated'));
}

function findWords(file) {
  const text = READERS[extname(file)](readFileSync(join(ROOT, file), 'utf8'));
  return text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(WORDS)].map(([word]) => `${file}:${index + 1} ${word}`));
}

/** Blanks string and regular expression literals, so that lines keep their numbers. */
function withoutStrings(text) {
  const ranges = [];
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true));
  return ranges.reduceRight(
    (rest, [start, end]) => rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end),
    text,
  );

  function visit(node) {
    if (STRINGS.has(node.kind)) ranges.push([node.getStart(), node.end]);
    ts.forEachChild(node, visit);
  }
}

function withoutCode(text) {
  return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, blank);
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}
