import { median, quantile, statementsOf, timed } from './measure.js';

/** One operation that is measured on a small side and a large one. */
export interface Comparison<Side> {
  readonly name: string;
  /** Rounds; 300 by default. */
  readonly rounds?: number;
  run(side: Side, round: number): Promise<unknown>;
}

const ROUNDS = 300;
const WARM_UP_ROUNDS = 20;
/** The jobs run statements meanwhile, which only add. */
const COUNTED_RUNS = 5;

/**
 * Measures each operation in interleaved rounds and prints a row of a table for it: medians in ms, their ratio, the
 * ratio of the first quartiles, which other load disturbs less, and the SQL statements on each side.
 */
export async function compareSides<Side>(
  names: readonly [string, string],
  operations: readonly Comparison<Side>[],
  small: Side,
  large: Side,
): Promise<void> {
  const [one, other] = names.map((name) => `${name}, median ms`);
  console.log(`\n| operation | ${one} | ${other} | ratio | ratio of first quartiles | SQL statements |`);
  console.log('|---|---|---|---|---|---|');
  for (const operation of operations) console.log(await rowOf(operation, small, large));
}

async function rowOf<Side>(operation: Comparison<Side>, small: Side, large: Side): Promise<string> {
  const { name, rounds = ROUNDS } = operation;
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const smallMs = await timed(() => operation.run(small, round));
    const largeMs = await timed(() => operation.run(large, round));
    if (round < 0) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  const [one, other] = [median(times.small), median(times.large)];
  const quartiles = quantile(times.large, 0.25) / quantile(times.small, 0.25);
  const statements = [await fewestStatements(operation, small), await fewestStatements(operation, large)];
  const cells = [name, one.toFixed(2), other.toFixed(2), (other / one).toFixed(2), quartiles.toFixed(2)];
  return `| ${[...cells, [...new Set(statements)].join(' and ')].join(' | ')} |`;
}

async function fewestStatements<Side>({ run }: Comparison<Side>, side: Side): Promise<number> {
  const counts: number[] = [];
  for (let counted = 0; counted < COUNTED_RUNS; counted += 1)
    counts.push(await statementsOf(() => run(side, ROUNDS + counted)));
  return Math.min(...counts);
}
