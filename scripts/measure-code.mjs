#!/usr/bin/env node
/**
 * Measures the structure of `src/`: `node scripts/measure-code.mjs` prints files, functions, imports and line lengths.
 *
 * A function counts from its first to its last line, its own nested functions included. Generated code is left out.
 * Migrations and generated code are exempt from the line length.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_LINE_LENGTH = 120;
const MAX_FILES_PER_FOLDER = 15;

const sources = listSources('src').map(parse);
const functions = sources.flatMap(({ tree }) => functionsIn(tree));
const lengths = functions.map(({ lines }) => lines).sort((a, b) => a - b);
const fileEdges = sources.flatMap(({ file, tree }) => importsOf(file, tree).map((target) => [file, target]));
const folderEdges = fileEdges
  .map((edge) => edge.map((file) => posix.dirname(file)))
  .filter(([from, to]) => from !== to);

const print = (name, value) => {
  console.log(`${name.padEnd(34)}${String(value)}`);
};
print('source files', sources.length);
print(
  'source lines',
  sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0),
);
print('functions', functions.length);
print('function lines: median, p90, max', `${quantile(0.5)}, ${quantile(0.9)}, ${lengths.at(-1)}`);
print('most parameters', Math.max(...functions.map(({ parameters }) => parameters)));
print('circles of files', circles(fileEdges).length);
print('circles of folders', circles(folderEdges).length);
const folders = Object.entries(countBy(sources.map(({ file }) => posix.dirname(file)))).sort(([, a], [, b]) => b - a);
print('largest folder', `${folders[0][0]} (${folders[0][1]} files)`);
print(
  `folders above ${MAX_FILES_PER_FOLDER} files`,
  folders.filter(([, count]) => count > MAX_FILES_PER_FOLDER).length,
);
print(
  `lines above ${MAX_LINE_LENGTH} columns`,
  sources
    .filter(({ file }) => !file.includes('/migrations/'))
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.length > MAX_LINE_LENGTH).length,
);

function listSources(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/generated/'));
}

function parse(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
}

function functionsIn(tree) {
  const found = [];
  visit(tree);
  return found;

  function visit(node) {
    if (ts.isFunctionLike(node) && node.body !== undefined)
      found.push({ lines: lineOf(node.end) - lineOf(node.getStart()) + 1, parameters: node.parameters.length });
    ts.forEachChild(node, visit);
  }

  function lineOf(position) {
    return tree.getLineAndCharacterOfPosition(position).line;
  }
}

function importsOf(file, tree) {
  const found = [];
  visit(tree);
  return found;

  function visit(node) {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
    if (specifier?.text?.startsWith('.'))
      found.push(fileOf(posix.join(posix.dirname(file), specifier.text).replace(/\.js$/, '')));
    ts.forEachChild(node, visit);
  }
}

/** @param target without its extension */
function fileOf(target) {
  return existsSync(join(ROOT, `${target}.tsx`)) ? `${target}.tsx` : `${target}.ts`;
}

/** The strongly connected components of more than one node (Tarjan). */
function circles(edges) {
  const targets = groupByFirst(edges);
  const order = new Map();
  const low = new Map();
  const stack = [];
  const components = [];
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return components.filter((component) => component.length > 1);

  function visit(node) {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const [, next] of targets.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) === order.get(node)) components.push(stack.splice(stack.indexOf(node)));
  }
}

function quantile(share) {
  return lengths[Math.floor(share * (lengths.length - 1))];
}

function countBy(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function groupByFirst(pairs) {
  const groups = new Map();
  for (const pair of pairs) groups.set(pair[0], [...(groups.get(pair[0]) ?? []), pair]);
  return groups;
}
