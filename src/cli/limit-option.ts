import { InvalidArgumentError, Option } from 'commander';

const MOST = 1_000;
const USUAL = 50;

/** How many entries a list shows. */
export function limitOption(): Option {
  return new Option('--limit <count>', `at most so many, 1 to ${MOST}`).default(USUAL).argParser(parseLimit);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST}.`);
  return limit;
}
