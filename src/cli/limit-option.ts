import { InvalidArgumentError, Option } from 'commander';
import { MAX_PAGE_SIZE } from '../paging/index.js';

const USUAL = 50;

/** How many entries a list shows. */
export function limitOption(): Option {
  return new Option('--limit <count>', `at most so many, 1 to ${MAX_PAGE_SIZE}`).default(USUAL).argParser(parseLimit);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_PAGE_SIZE}.`);
  return limit;
}
