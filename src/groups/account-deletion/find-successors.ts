import type { EntityManager } from '@mikro-orm/postgresql';
import { Member } from '../model/member.entity.js';

interface HeirRow {
  readonly group_id: string;
  readonly user_id: string;
}

const LONGEST_IN = `
  select heir.group_id, heir.user_id from unnest(?::uuid[]) as g (id)
  cross join lateral (
    select m.* from member m join account a on a.id = m.user_id and a.deleted_at is null
    where m.group_id = g.id and m.user_id <> ? order by m.invited_at, m.user_id limit 1
  ) heir`;

/** Who has been longest in each of these locked groups, apart from the given user and deleted accounts; by the group's id. */
export async function findSuccessors(
  em: EntityManager,
  userId: string,
  groupIds: readonly string[],
): Promise<Map<string, Member>> {
  if (groupIds.length === 0) return new Map();
  const rows = await em.execute<HeirRow[]>(LONGEST_IN, [em.getPlatform().marshallArray([...groupIds]), userId]);
  const heirs = await em.find(Member, { $or: rows.map((row) => ({ groupId: row.group_id, userId: row.user_id })) });
  return new Map(heirs.map((successor) => [successor.groupId, successor]));
}
