import { jest } from '@jest/globals';
import pg from 'pg';

/**
 * Counts the statements sent to the database during `work`, transaction control included. Notifications are sent in the
 * background and do not count.
 */
export async function countStatements<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly statements: number }> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    return { result, statements: query.mock.calls.filter(([sent]) => !isNotice(sent)).length };
  } finally {
    query.mockRestore();
  }
}

function isNotice(sent: unknown): boolean {
  return typeof sent === 'string' && sent.includes('pg_notify');
}
