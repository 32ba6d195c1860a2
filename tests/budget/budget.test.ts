import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { measureOperations, type Cost } from './measure-operations.js';
import { OPERATION_NAMES } from './operations.js';

interface Limit {
  /** Exact number of SQL statements, `begin` and `commit` included. */
  readonly statements: number;
  /** Largest number of bytes that one request allocates on the heap. */
  readonly bytes: number;
}

type Budget = Readonly<Record<string, Limit>>;

const FILE = new URL('budget.json', import.meta.url);
/** Of the measured bytes. They differ by up to 8 % between runs, also beside other load. */
const MARGIN = 1.25;
const BYTES_STEP = 500;
const RENEWAL = 'RENEW_BUDGET=on npm test --silent -- tests/budget';
const TIMEOUT_MS = 300_000;

let costs: ReadonlyMap<string, Cost>;
let budget: Budget;

beforeAll(async () => {
  costs = await measureOperations();
  if (process.env['RENEW_BUDGET'] === 'on') writeFileSync(FILE, `${JSON.stringify(budgetOf(costs), null, 2)}\n`);
  budget = JSON.parse(readFileSync(FILE, 'utf8')) as Budget;
}, TIMEOUT_MS);

describe('the budget', () => {
  it('lists every measured operation', () => {
    expect(Object.keys(budget)).toEqual(OPERATION_NAMES);
  });

  it.each(OPERATION_NAMES)('holds for: %s', (name) => {
    expect(excesses(name, costs.get(name)!, budget[name]!)).toEqual([]);
  });
});

function budgetOf(measured: ReadonlyMap<string, Cost>): Budget {
  return Object.fromEntries(
    Array.from(measured, ([name, { statements, bytes }]) => [
      name,
      { statements: statements.length, bytes: Math.ceil((bytes * MARGIN) / BYTES_STEP) * BYTES_STEP },
    ]),
  );
}

function excesses(name: string, { statements, bytes }: Cost, limit: Limit): string[] {
  const renewal = `Remove the cause, or renew the budget with: ${RENEWAL}`;
  const found: string[] = [];
  if (statements.length !== limit.statements)
    found.push(
      `${name} sends ${statements.length} SQL statements, and the budget is exactly ${limit.statements}:` +
        `${statements.map((each) => `\n  ${each.slice(0, 100)}`).join('')}\n${renewal}`,
    );
  if (bytes > limit.bytes)
    found.push(
      `${name} allocates ${Math.round(bytes)} bytes per request, and the budget is at most ${limit.bytes}. ${renewal}`,
    );
  return found;
}
