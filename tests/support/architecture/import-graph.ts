import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import ts from 'typescript';

/** The allowed imports: for each part of the service, the parts or single files that it may import. */
export interface ImportRules {
  readonly allowedImports: Readonly<Record<string, readonly string[]>>;
  /**
   * The same between the folders inside one part. `.` is the part's own root, whose files may import every folder.
   * A folder that is not named may not be imported, nor import.
   */
  readonly folders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Parts that only the bundler reads: no other part may import them, not even one that may import everything. */
  readonly bundled: readonly string[];
  readonly domain: {
    readonly parts: readonly string[];
    /** Forbidden packages, `scope/*` included, and the alternative to each. */
    readonly bannedPackages: Readonly<Record<string, string>>;
  };
}

/** The text of every source file by its path from the project root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

interface Import {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
}

const CONFIG_FILE = 'mikro-orm.config.ts';
const ROOT_FOLDER = '.';

export function readSources(root: string): Sources {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const files = names.map((name) => join('src', name));
  if (existsSync(join(root, CONFIG_FILE))) files.push(CONFIG_FILE);
  return new Map(files.map((file) => [file.split(sep).join('/'), readFileSync(join(root, file), 'utf8')]));
}

/** Returns one sentence for each import that the rules do not allow, beginning with `file:line`. */
export function findOffences(sources: Sources, rules: ImportRules): string[] {
  return [...sources].flatMap(([file, text]) =>
    importsOf(file, text).flatMap((found) => {
      const offence = isOwn(found) ? wrongArrow(found, rules) : bannedPackage(found, rules);
      return offence === null ? [] : [`${found.file}:${found.line} imports ${found.specifier}: ${offence}`];
    }),
  );
}

/**
 * Circles of files and of folders, each as one line of names. Type imports count.
 *
 * A folder is the file's own folder, so a part's root and its subfolders are different folders.
 */
export function findCircles(sources: Sources): string[] {
  const edges = [...sources].flatMap(([file, text]) =>
    importsOf(file, text)
      .filter(isOwn)
      .map((found): Edge => [file, fileOf(targetOf(found), sources)]),
  );
  const folderEdges = edges
    .map(([from, to]): Edge => [posix.dirname(from), posix.dirname(to)])
    .filter(([from, to]) => from !== to);
  return [...componentsOf(edges), ...componentsOf(folderEdges)].map((names) => names.sort().join(' ⇄ '));
}

/** @param target without its extension */
function fileOf(target: string, sources: Sources): string {
  return sources.has(`${target}.tsx`) ? `${target}.tsx` : `${target}.ts`;
}

type Edge = readonly [from: string, to: string];

/** The strongly connected components of more than one node (Tarjan's algorithm). */
function componentsOf(edges: readonly Edge[]): string[][] {
  const targets = Map.groupBy(edges, ([from]) => from);
  const order = new Map<string, number>();
  const stack: string[] = [];
  const components: string[][] = [];
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return components.filter(({ length }) => length > 1);

  function visit(node: string): number {
    const own = order.size;
    order.set(node, own);
    stack.push(node);
    let low = own;
    for (const [, next] of targets.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? own);
    }
    if (low === own) components.push(stack.splice(stack.indexOf(node)));
    return low;
  }
}

/** Every kind of import counts: plain, for types only, re-exported and dynamic ones. */
function importsOf(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Import[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    const specifier = specifierOf(node);
    if (specifier) found.push({ file, specifier: specifier.text, line: lineOf(specifier) });
    ts.forEachChild(node, visit);
  }

  function lineOf(node: ts.Node): number {
    return source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  }
}

function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  const candidate = candidateIn(node);
  return candidate && ts.isStringLiteralLike(candidate) ? candidate : undefined;
}

function candidateIn(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];
  return undefined;
}

function isOwn({ specifier }: Import): boolean {
  return specifier.startsWith('.');
}

function wrongArrow({ file, specifier }: Import, rules: ImportRules): string | null {
  const from = partOf(file);
  const target = targetOf({ file, specifier });
  const allowed = rules.allowedImports[from];
  if (!allowed) return `there is no rule for ${from}; add one to allowedImports`;
  if (partOf(target) === from) return wrongFolder(file, target, rules.folders[from]);
  if (rules.bundled.includes(partOf(target))) return `only the bundler reads ${partOf(target)}`;
  if (allowed.some((pattern) => covers(pattern, target))) return null;
  return `${from} may import ${allowed.length === 0 ? 'nothing else inside src' : `only ${allowed.join(', ')}`}`;
}

function wrongFolder(file: string, target: string, folders: ImportRules['folders'][string] | undefined): string | null {
  const [from, to] = [folderOf(file), folderOf(target)];
  if (folders === undefined || from === to || from === ROOT_FOLDER) return null;
  const allowed = folders[from];
  if (!allowed) return `there is no rule for ${partOf(file)}/${from}; add one to folders`;
  if (allowed.includes(to)) return null;
  const folderNames = allowed.length === 0 ? 'no other folder' : `only ${allowed.join(', ')}`;
  return `${partOf(file)}/${from} may import ${folderNames} of its part`;
}

/** `src/groups/scores/b.ts` is in the folder `scores`, `src/groups/index.ts` in the root folder. */
function folderOf(path: string): string {
  return (
    path
      .replace(/^src\//, '')
      .split('/')
      .slice(1, -1)
      .join('/') || ROOT_FOLDER
  );
}

/** The imported file, without its extension. */
function targetOf({ file, specifier }: Pick<Import, 'file' | 'specifier'>): string {
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '');
}

function bannedPackage({ file, specifier }: Import, { domain }: ImportRules): string | null {
  if (!domain.parts.includes(partOf(file))) return null;
  const banned = Object.entries(domain.bannedPackages).find(([name]) => isFrom(name, specifier));
  return banned ? banned[1] : null;
}

/** `src/groups/a/b.ts` belongs to the part `groups`, `src/app.ts` is the part `app`. */
function partOf(path: string): string {
  const [part = ''] = path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/');
  return part;
}

function covers(pattern: string, target: string): boolean {
  const path = target.replace(/^src\//, '');
  return pattern === '*' || path === pattern || (!pattern.includes('/') && path.startsWith(`${pattern}/`));
}

function isFrom(name: string, specifier: string): boolean {
  const base = name.replace(/\/\*$/, '');
  return specifier === base || specifier.startsWith(`${base}/`);
}
