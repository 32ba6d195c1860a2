import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionOf, unnamedStatement } from '../../database/index.js';
import { revokeOpenInvitations } from '../invitations/revoke-invitation.js';
import type { Group } from '../model/group.entity.js';
import { GroupLedger, SYSTEM_AUTHOR } from '../transaction/group-ledger.js';

/** Maximum number of rows per table that one transaction deletes. */
export const ROWS_PER_BATCH = 1_000;

/** Tables with many rows per group, with the column that completes their primary key. */
const CHILD_TABLES = [
  ['group_change', 'revision'],
  ['compatibility_score', 'sequence'],
  ['invitation', 'id'],
] as const;

const DELETE_BATCHES = CHILD_TABLES.map(([table, key]) =>
  unnamedStatement(`
  delete from ${table} where group_id = $1 and ${key} = any(array(
    select ${key} from ${table} where group_id = $1 order by ${key} limit ${ROWS_PER_BATCH}))`),
);

/** SQL for the number of rows of a group in these tables, each counted up to one more than a batch. */
export const rowCountSql = (groupId: string): string =>
  CHILD_TABLES.map(
    ([table]) =>
      `(select count(*) from (select from ${table} where group_id = ${groupId} limit ${ROWS_PER_BATCH + 1}) counted)`,
  ).join(' + ');

/**
 * Deletes a locked group that has no member with an existing account. Of a large group it deletes up to 1,000 rows per
 * table, which keeps transactions short; call it again for the rest.
 *
 * A large group is cancelled first, so that no user joins a group with a partial history.
 */
export async function removeGroup(em: EntityManager, group: Group, now: Date): Promise<void> {
  if (!(await isLarge(em, group))) {
    em.remove(group);
    return;
  }
  if (group.cancelledAt === null) await cancel(em, group, now);
  // The statements below do not flush the unit of work.
  await em.flush();
  for (const deletion of DELETE_BATCHES) await transactionOf(em).query(deletion, [group.id]);
}

const ROW_COUNT = unnamedStatement<{ readonly rows: number }>(`select (${rowCountSql('$1')})::integer as rows`);

async function isLarge(em: EntityManager, { id }: Group): Promise<boolean> {
  const [row] = await transactionOf(em).query(ROW_COUNT, [id]);
  return (row?.rows ?? 0) > ROWS_PER_BATCH;
}

async function cancel(em: EntityManager, group: Group, now: Date): Promise<void> {
  await revokeOpenInvitations(em, group.id);
  GroupLedger.inUnitOfWork(em, group, SYSTEM_AUTHOR, now).record({ cause: 'CANCELLED' }, ({ counts }) => {
    group.cancelledAt = now;
    counts.openInvitations = 0;
  });
}
