import { inTransaction, statement, type Database } from '../../database/index.js';
import { erasedAddressKey } from '../invitations/erased-address.js';
import { Invitation } from '../invitations/invitation.entity.js';
import type { GroupWriteDeps } from '../transaction/with-locked-group.js';
import { leaveGroups } from './leave-groups.js';
import { rowCountSql, ROWS_PER_BATCH } from './remove-group.js';

const GROUPS_PER_BATCH = 50;

interface RemainingGroup {
  readonly id: string;
  readonly hasOtherMember: boolean;
  readonly rows: number;
}

const REMAINING_GROUPS = statement<RemainingGroup>(
  'groups_of_deleted_account',
  `
  select g.id,
    g.pending_count + g.accepted_count + g.tentative_count + g.declined_count > 1 as "hasOtherMember",
    (${rowCountSql('g.id')})::integer as rows
  from (
    (select group_id from member where user_id = $1 limit ${GROUPS_PER_BATCH})
    union
    (select group_id from invitation where email_key = $2 and status in ('OPEN', 'LAPSED') limit ${GROUPS_PER_BATCH})
  ) affected
  join groups g on g.id = affected.group_id
  order by g.id`,
);

/**
 * Removes a deleted account from its groups, in transactions of at most 50 groups or 1,000 rows. Each transaction
 * commits separately, so the next call continues after a crash. Concurrent calls are harmless.
 *
 * Groups without another member are deleted, several in one transaction. Each other group has its own transaction, so
 * that no group waits for the writers of another.
 *
 * @param mayContinue called after each transaction; returns false to stop
 * @returns whether the account was removed from all groups
 */
export async function removeAccountFromGroups(
  deps: GroupWriteDeps,
  userId: string,
  mayContinue: () => boolean,
): Promise<boolean> {
  do {
    const remaining = await deps.database.query(REMAINING_GROUPS, [userId, erasedAddressKey(userId)]);
    if (remaining.length === 0) {
      await deleteClosedInvitations(deps.database, userId);
      return true;
    }
    for (const batch of toBatches(remaining)) {
      await removeFromBatch(deps, userId, batch);
      if (!mayContinue()) return false;
    }
  } while (mayContinue());
  return false;
}

function toBatches(groups: readonly RemainingGroup[]): string[][] {
  const shared = groups.filter(({ hasOtherMember }) => hasOtherMember).map(({ id }) => [id]);
  return [...toDeletionBatches(groups.filter(({ hasOtherMember }) => !hasOtherMember)), ...shared];
}

/** Batches of groups with 1,000 rows in total; a larger group has its own batch. */
function toDeletionBatches(groups: readonly RemainingGroup[]): string[][] {
  const batches: { ids: string[]; rows: number }[] = [];
  for (const { id, rows } of groups) {
    const last = batches.at(-1);
    if (last === undefined || last.rows + rows > ROWS_PER_BATCH) batches.push({ ids: [id], rows });
    else {
      last.ids.push(id);
      last.rows += rows;
    }
  }
  return batches.map(({ ids }) => ids);
}

function removeFromBatch(
  { database, clock, writeQueue }: GroupWriteDeps,
  userId: string,
  groupIds: readonly string[],
): Promise<void> {
  return writeQueue.runTaskOnAll(groupIds, () =>
    inTransaction(database, (em) => leaveGroups(em, userId, groupIds, clock.now())),
  );
}

/** Deletes invitations to the erased address that were revoked, or claimed by their links, after the deletion. */
async function deleteClosedInvitations(database: Database, userId: string): Promise<void> {
  await database.fork().nativeDelete(Invitation, {
    emailKey: erasedAddressKey(userId),
    status: { $in: ['CLAIMED', 'DECLINED', 'REVOKED'] },
  });
}
