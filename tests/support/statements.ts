import { jest } from '@jest/globals';
import pg from 'pg';

/** Counts what is sent to the database meanwhile, transaction control included. */
export async function countStatements<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly statements: number }> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    return { result, statements: query.mock.calls.length };
  } finally {
    query.mockRestore();
  }
}
