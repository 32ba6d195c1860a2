import ts from 'typescript';
import type { Sources } from './import-graph.js';

/** A kind of access to an account row that bypasses `lockAccount`. */
export type AccessKind =
  /** The entity class is passed to the entity manager: `em.find(Account, …)`, `em.nativeUpdate(Account, …)`. */
  | 'entity'
  /** SQL text that writes the table. */
  | 'sql-write'
  /** SQL text that reads the table for a decision: without a row lock, and possibly in a transaction. */
  | 'sql-read'
  /** A type assertion to `LockedAccount`. */
  | 'assertion';

export interface Access {
  readonly file: string;
  readonly line: number;
  readonly kind: AccessKind;
}

const GUARDED_ENTITIES = new Set(['Account', 'EmailVerification']);
const GUARDED_TABLES = '(?:account|email_verification)';
const SQL_WRITE = new RegExp(String.raw`\b(?:update|delete\s+from|insert\s+into)\s+${GUARDED_TABLES}\b`, 'i');
const SQL_READ = new RegExp(String.raw`\b(?:from|join)\s+${GUARDED_TABLES}\b`, 'i');
const ROW_LOCK = /\bfor\s+(?:no\s+key\s+update|update|share|key\s+share)\b/i;
/** Name of the function that creates a prepared statement. */
const PREPARED = 'statement';
/** Named by a file that runs statements in a transaction. Other files run their prepared statements outside of one. */
const IN_TRANSACTION = /\b(?:transactionOf|Queryable)\b/;
/** Name of the function that lists the columns of an entity. It reads no row. */
const COLUMN_LIST = 'columnsSql';
const LOCKED_TYPE = 'LockedAccount';

/** Finds every such access in the sources, except in migrations, which run while the service is stopped. */
export function findAccountAccess(sources: Sources): Access[] {
  const running = [...sources].filter(([file]) => !file.startsWith('src/database/migrations/'));
  return running.flatMap(([file, text]) => accessIn(file, text));
}

function accessIn(file: string, text: string): Access[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Access[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    const kind = kindOf(node);
    if (kind !== null) found.push({ file, kind, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  }
}

function kindOf(node: ts.Node): AccessKind | null {
  if (ts.isCallExpression(node)) return isEntity(node.arguments[0]) && !listsColumns(node) ? 'entity' : null;
  if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) return assertsLock(node) ? 'assertion' : null;
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return sqlKindOf(node, node.getText());
  return null;
}

function listsColumns({ expression }: ts.CallExpression): boolean {
  return ts.isIdentifier(expression) && expression.text === COLUMN_LIST;
}

function assertsLock({ type }: ts.AssertionExpression): boolean {
  return type.getText().includes(LOCKED_TYPE);
}

function isEntity(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isIdentifier(node) && GUARDED_ENTITIES.has(node.text);
}

function sqlKindOf(node: ts.Node, text: string): AccessKind | null {
  if (SQL_WRITE.test(text)) return 'sql-write';
  return SQL_READ.test(text) && !ROW_LOCK.test(text) && !isPrepared(node) ? 'sql-read' : null;
}

function isPrepared(node: ts.Node): boolean {
  for (let outer = node.parent; !ts.isSourceFile(outer); outer = outer.parent) {
    if (ts.isCallExpression(outer) && outer.expression.getText() === PREPARED)
      return !IN_TRANSACTION.test(node.getSourceFile().text);
  }
  return false;
}
