import { jest } from '@jest/globals';
import pg from 'pg';
import { isBackgroundStatement } from './background-statements.js';

/** Counts the statements sent to the database during `work`, transaction control included: see `recordStatements`. */
export async function countStatements<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly statements: number }> {
  const { result, texts } = await recordStatements(work);
  return { result, statements: texts.length };
}

/**
 * Returns the statements sent to the database during `work`, transaction control included. Notifications are sent in
 * the background and are left out.
 */
export async function recordStatements<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly texts: readonly string[] }> {
  const { result, sent } = await recordSent(work);
  return { result, texts: sent.map(textOf).filter((text) => !text.includes('pg_notify')) };
}

/** Returns the names of the prepared statements of a request, without those of the background. */
export async function namesOfStatements(request: () => Promise<unknown>): Promise<string[]> {
  const { sent } = await recordSent(request);
  return sent.map(nameOf).filter((name) => name !== '' && !isBackgroundStatement(name));
}

/** As `countStatements`, without those that jobs, clock and feeds send meanwhile: for a whole service. */
async function countStatementsOfRequest<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly statements: number }> {
  const { result, sent } = await recordSent(work);
  const own = sent.filter((each) => !textOf(each).includes('pg_notify') && !isBackgroundStatement(nameOf(each)));
  return { result, statements: own.length };
}

const RUNS = 4;

/**
 * The least of `countStatementsOfRequest` in some runs. Reason: statements of Agenda have no name, and a process that
 * could not poll for a second checks each token in the database.
 *
 * @param check called with the result of each run
 */
export async function leastStatementsOfRequest<T>(
  work: () => Promise<T>,
  check: (result: T) => void = () => undefined,
): Promise<number> {
  const counts: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { result, statements } = await countStatementsOfRequest(work);
    check(result);
    counts.push(statements);
  }
  return Math.min(...counts);
}

async function recordSent<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly sent: unknown[] }> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    return { result, sent: query.mock.calls.map(([sent]) => sent as unknown) };
  } finally {
    query.mockRestore();
  }
}

function nameOf(sent: unknown): string {
  return typeof sent === 'string' ? '' : ((sent as pg.QueryConfig).name ?? '');
}

function textOf(sent: unknown): string {
  return typeof sent === 'string' ? sent : (sent as pg.QueryConfig).text;
}
