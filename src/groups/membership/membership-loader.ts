import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import type { MemberView } from '../model/group-view.js';
import { MEMBER_COLUMNS, memberFromRow, type MemberRow } from '../model/member-row.js';

interface MembershipKey {
  readonly groupId: string;
  readonly userId: string;
}

export interface MembershipLoaders {
  /** Loads one user's membership in one group; null for a non-member. */
  readonly membership: BatchLoader<MembershipKey, MemberView>;
}

const MEMBERSHIPS = statement<MemberRow>(
  'memberships',
  `
  select ${MEMBER_COLUMNS}
  from unnest($1::uuid[], $2::uuid[]) as key (group_id, user_id)
  join member m on m.group_id = key.group_id and m.user_id = key.user_id
  join account a on a.id = m.user_id`,
);

export function createMembershipLoader(database: Database): BatchLoader<MembershipKey, MemberView> {
  return createBatchLoader(
    async (keys: readonly MembershipKey[]) => {
      const groupIds = keys.map(({ groupId }) => groupId);
      const userIds = keys.map(({ userId }) => userId);
      return (await database.query(MEMBERSHIPS, [groupIds, userIds])).map(memberFromRow);
    },
    toCacheKey,
    toCacheKey,
  );
}

function toCacheKey({ groupId, userId }: MembershipKey): string {
  return `${groupId} ${userId}`;
}
