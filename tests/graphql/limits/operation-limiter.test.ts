import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { OperationLimiter } from '../../../src/graphql/limits/operation-limiter.js';

const SCHEMA = buildSchema(`
  type Query { people(first: Int = 100, last: Int): People, name(of: String): String }
  type People { nodes: [Person!]! }
  type Person { name: String }
`);
const LIMITS = { depth: 100, aliases: 100, directives: 100, rootFields: 100, cost: 100_000 };

type Values = Readonly<Record<string, unknown>>;

/** Returns a function that gives the cost of the operation with variables. */
function costOf(source: string): (variables: Values) => number {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('Document has no operation');
  const limiter = new OperationLimiter(SCHEMA, LIMITS);
  const resolved = { document, operation };
  return (variables) => limiter.sizeOf(resolved, variables).cost;
}

function freshCost(source: string, variables: Values): number {
  return costOf(source)(variables);
}

const PAGES =
  'query ($first: Int, $last: Int, $of: String) { name(of: $of) ' +
  'people(first: $first, last: $last) { nodes { name } } }';

describe('OperationLimiter.sizeOf', () => {
  it('returns for each variables the size that a new measurement has, in any order', () => {
    const variables: readonly Values[] = [
      { first: 1 },
      { first: 1_000 },
      { first: 1, of: 'other' },
      { last: 5 },
      { first: 3, last: null },
      { first: '20' },
      {},
      { first: null },
      { first: undefined },
    ];
    const cost = costOf(PAGES);
    for (const each of [...variables, ...variables.toReversed()]) expect(cost(each)).toBe(freshCost(PAGES, each));
    expect(cost({ first: 1_000 })).toBeGreaterThan(cost({ first: 1 }));
  });

  it('returns the same object for equal page sizes, whatever the other variables', () => {
    const document = parse(PAGES);
    const operation = getOperationAST(document);
    if (!operation) throw new Error('Document has no operation');
    const limiter = new OperationLimiter(SCHEMA, LIMITS);
    const resolved = { document, operation };
    const first = limiter.sizeOf(resolved, { first: 20, of: 'one' });
    expect(limiter.sizeOf(resolved, { first: 20, of: 'other' })).toBe(first);
  });
});
