import { UnavailableError } from '../../errors/index.js';
import type { Database } from './database.js';
import { statement } from './statement.js';

/** Selects nothing. The row lock makes a server reject it whose sessions may not write, such as a standby. */
const WRITABLE = statement('database_writable', 'select from migration where false for key share');

/** @throws UnavailableError `DATABASE_UNAVAILABLE` when the database cannot be used for writing, whatever the cause */
export async function requireWritable(database: Database): Promise<void> {
  try {
    await database.query(WRITABLE, []);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    throw new UnavailableError('DATABASE_UNAVAILABLE', { cause: error });
  }
}
