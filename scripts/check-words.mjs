#!/usr/bin/env node
/**
 * Finds words that name no actor: `node scripts/check-words.mjs` prints each place and a count.
 *
 * It reads comments, identifiers, strings and titles of tests, and the pages of `docs/`. It leaves out the other
 * strings of tests, which are input, the code in pages, and generated files. `check-words.exceptions.json` lists texts
 * that may contain the words, by the part of the contract that they belong to. The exit code is 1 when another word was
 * found, or when an exception is no longer needed.
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
const TITLED = /^(describe|it|test)\b|^describeWith$/;
const READERS = { '.ts': readCode, '.tsx': readCode, '.md': withoutCode };
const EXCEPTIONS = Object.values(
  JSON.parse(readFileSync(join(ROOT, 'scripts', 'check-words.exceptions.json'), 'utf8')),
).flatMap((files) => Object.entries(files).flatMap(([file, texts]) => texts.map((text) => ({ file, text }))));

const unused = new Set(EXCEPTIONS);
const found = FOLDERS.flatMap(listFiles).flatMap(findWords);
const problems = [...found, ...[...unused].map(({ file, text }) => `${file}: no longer contains "${text}"`)];
for (const problem of problems) console.log(problem);
console.log(`${found.length} words to replace: name the user, caller, client, process, administrator or operator.`);
process.exitCode = problems.length === 0 ? 0 : 1;

function listFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => extname(file) in READERS && !file.includes('generated') && !file.includes('node_modules'));
}

function findWords(file) {
  const text = withoutExceptions(file, READERS[extname(file)](readFileSync(join(ROOT, file), 'utf8'), file));
  return text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(WORDS)].map(([word]) => `${file}:${index + 1} ${word}`));
}

function withoutExceptions(file, text) {
  return EXCEPTIONS.filter((exception) => exception.file === file).reduce((rest, exception) => {
    if (rest.includes(exception.text)) unused.delete(exception);
    return rest.replaceAll(exception.text, blank);
  }, text);
}

function readCode(text, file) {
  return file.startsWith('tests') ? withoutInput(text) : text;
}

/** Blanks strings that are no titles, so that lines keep their numbers. */
function withoutInput(text) {
  const ranges = [];
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true));
  return ranges.reduceRight(
    (rest, [start, end]) => rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end),
    text,
  );

  function visit(node) {
    if (STRINGS.has(node.kind) && !isTitle(node)) ranges.push([node.getStart(), node.end]);
    ts.forEachChild(node, visit);
  }
}

function isTitle({ parent }) {
  return ts.isCallExpression(parent) && TITLED.test(parent.expression.getText());
}

function withoutCode(text) {
  return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, blank);
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}
