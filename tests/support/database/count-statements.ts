import { jest } from '@jest/globals';
import pg from 'pg';

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
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    const texts = query.mock.calls.map(([sent]) => textOf(sent)).filter((text) => !text.includes('pg_notify'));
    return { result, texts };
  } finally {
    query.mockRestore();
  }
}

function textOf(sent: unknown): string {
  return typeof sent === 'string' ? sent : (sent as pg.QueryConfig).text;
}
