import { jest } from '@jest/globals';
import pg from 'pg';

export interface SentStatements<T> {
  readonly result: T;
  readonly statements: number;
  readonly texts: readonly string[];
}

/**
 * Counts the statements sent to the database during `work`, transaction control included. Notifications are sent in the
 * background and do not count.
 */
export async function countStatements<T>(work: () => Promise<T>): Promise<SentStatements<T>> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    const texts = query.mock.calls.map(([sent]) => textOf(sent)).filter((text) => !text.includes('pg_notify'));
    return { result, statements: texts.length, texts };
  } finally {
    query.mockRestore();
  }
}

function textOf(sent: unknown): string {
  return typeof sent === 'string' ? sent : (sent as pg.QueryConfig).text;
}
