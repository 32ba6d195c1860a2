import { statement, type Database } from '../../database/index.js';

const MISSING_GROUPS = statement<{ id: string }>(
  'missing_groups',
  `
  select id from unnest($1::uuid[]) as requested (id)
  where not exists (select from groups where groups.id = requested.id)`,
);

/** Returns the ids that belong to no group. A group that exists may be deleted concurrently. */
export async function findMissingGroups(database: Database, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return [];
  return (await database.query(MISSING_GROUPS, [groupIds])).map(({ id }) => id);
}
