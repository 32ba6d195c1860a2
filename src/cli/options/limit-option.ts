import { InvalidArgumentError, Option } from 'commander';
import { MAX_PAGE_SIZE } from '../../paging/index.js';

const DEFAULT_LIMIT = 50;

/** Creates the option `--limit` of lists: 1 to `MAX_PAGE_SIZE` entries, default 50. */
export function limitOption(): Option {
  return new Option('--limit <count>', `at most so many, 1 to ${MAX_PAGE_SIZE}`)
    .default(DEFAULT_LIMIT)
    .argParser(parseLimit);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_PAGE_SIZE}.`);
  return limit;
}
