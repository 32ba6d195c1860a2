import type { EntityManager } from '@mikro-orm/postgresql';
import { forgetAccount } from '../../accounts/index.js';
import { enqueueTask, inTransaction, statement, type OutboxTask } from '../../database/index.js';
import type { GroupsDeps } from '../deps.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { erasedAddressKey } from './erased-address.js';
import { leaveGroups } from './remove-account-from-groups.js';
import { ROWS_PER_BATCH, rowsOfGroupSql } from './remove-group.js';

/** The task that takes a deleted account out of its groups, and then removes its row. */
export const ERASE_ACCOUNT_TASK = 'erase_account';

const GROUPS_PER_BATCH = 50;

type FinishDeps = Pick<GroupsDeps, 'database' | 'clock' | 'writeQueue'>;

interface RemainingGroup {
  readonly id: string;
  /** Whether it has no other member. */
  readonly isAlone: boolean;
  readonly rows: number;
}

const REMAINING = statement<RemainingGroup>(
  'groups_of_deleted_account',
  `
  select g.id, g.pending_count + g.accepted_count + g.tentative_count + g.declined_count <= 1 as "isAlone",
    (${rowsOfGroupSql('g.id')})::integer as rows
  from (
    (select group_id from member where user_id = $1 limit ${GROUPS_PER_BATCH})
    union
    (select group_id from invitation where email_key = $2 and status in ('OPEN', 'LAPSED') limit ${GROUPS_PER_BATCH})
  ) concerned
  join groups g on g.id = concerned.group_id
  order by g.id`,
);

/**
 * Takes a deleted account out of its groups and removes its row, in transactions of at most 50 groups or 1,000 rows. Each commits by
 * itself, so a process that is killed leaves a remainder that the next call finds. Concurrent calls do no harm.
 *
 * Groups without another member are removed, several in one transaction. Each of the others has a transaction of its own, so that
 * no group waits for the writers of another.
 *
 * @param mayContinue asked after each transaction
 * @returns whether it is finished
 */
export async function finishDeletion(deps: FinishDeps, userId: string, mayContinue: () => boolean): Promise<boolean> {
  do {
    const remaining = await deps.database.query(REMAINING, [userId, erasedAddressKey(userId)]);
    if (remaining.length === 0) {
      if (await forgetRest(deps, userId)) return true;
      continue;
    }
    for (const batch of batchesOf(remaining)) {
      await leaveBatch(deps, userId, batch);
      if (!mayContinue()) return false;
    }
  } while (mayContinue());
  return false;
}

/** Queues, in the caller's transaction, the rest of a deletion. @param dueAt null for immediately */
export function enqueueRestOfDeletion(
  em: EntityManager,
  userId: string,
  now: Date,
  dueAt: Date | null = null,
): OutboxTask {
  return enqueueTask(em, { name: ERASE_ACCOUNT_TASK, payload: { userId }, ...(dueAt === null ? {} : { dueAt }) }, now);
}

function batchesOf(remaining: readonly RemainingGroup[]): string[][] {
  const shared = remaining.filter(({ isAlone }) => !isAlone).map(({ id }) => [id]);
  return [...batchesOfAlone(remaining.filter(({ isAlone }) => isAlone)), ...shared];
}

/** As many groups as have 1,000 rows together; a larger one by itself. */
function batchesOfAlone(groups: readonly RemainingGroup[]): string[][] {
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

function leaveBatch(
  { database, clock, writeQueue }: FinishDeps,
  userId: string,
  groupIds: readonly string[],
): Promise<void> {
  return writeQueue.runTaskOnAll(groupIds, () =>
    inTransaction(database, (em) => leaveGroups(em, userId, groupIds, clock.now())),
  );
}

/** No group counts these invitations any more: their groups revoked them, or somebody claimed them by their links. */
async function forgetRest({ database }: FinishDeps, userId: string): Promise<boolean> {
  await database.fork().nativeDelete(Invitation, {
    emailKey: erasedAddressKey(userId),
    status: { $in: ['CLAIMED', 'DECLINED', 'REVOKED'] },
  });
  return forgetAccount(database, userId);
}
