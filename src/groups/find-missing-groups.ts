import { statement, type Database } from '../database/index.js';

const MISSING = statement<{ id: string }>(
  'missing_groups',
  `
  select id from unnest($1::uuid[]) as asked (id) where not exists (select from groups where groups.id = asked.id)`,
);

/** Which of these ids are no group's. A group that exists now may be gone a moment later. */
export async function findMissingGroups(database: Database, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return [];
  return (await database.query(MISSING, [groupIds])).map(({ id }) => id);
}
