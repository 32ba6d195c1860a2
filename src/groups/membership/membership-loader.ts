import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import { MEMBER_COLUMNS, memberFromRow, type MemberRow } from '../access/member-row.js';
import type { MemberView } from '../model/member-view.js';

/** One user's place in one group. */
export interface MembershipKey {
  readonly groupId: string;
  readonly userId: string;
}

const MEMBERSHIPS = statement<MemberRow>(
  'memberships',
  `
  select ${MEMBER_COLUMNS}
  from unnest($1::uuid[], $2::uuid[]) as place (group_id, user_id)
  join member m on m.group_id = place.group_id and m.user_id = place.user_id
  join account a on a.id = m.user_id`,
);

export function createMembershipLoader(database: Database): BatchLoader<MembershipKey, MemberView> {
  return createBatchLoader(
    async (places: readonly MembershipKey[]) => {
      const groupIds = places.map(({ groupId }) => groupId);
      const userIds = places.map(({ userId }) => userId);
      return (await database.query(MEMBERSHIPS, [groupIds, userIds])).map(memberFromRow);
    },
    toCacheKey,
    toCacheKey,
  );
}

function toCacheKey({ groupId, userId }: MembershipKey): string {
  return `${groupId} ${userId}`;
}
