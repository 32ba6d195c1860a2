import type { EntityManager } from '@mikro-orm/postgresql';
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

const deleteBatchSql = (table: string, key: string): string => `
  delete from ${table} where group_id = ? and ${key} = any(array(
    select ${key} from ${table} where group_id = ? order by ${key} limit ${ROWS_PER_BATCH})) returning 1`;

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
  for (const [table, key] of CHILD_TABLES) await em.execute(deleteBatchSql(table, key), [group.id, group.id]);
}

async function isLarge(em: EntityManager, { id }: Group): Promise<boolean> {
  const [row] = await em.execute<{ rows: string }[]>(
    `select ${rowCountSql('g.id')} as rows from (select ?::uuid as id) g`,
    [id],
  );
  return Number(row?.rows ?? 0) > ROWS_PER_BATCH;
}

async function cancel(em: EntityManager, group: Group, now: Date): Promise<void> {
  await revokeOpenInvitations(em, group.id);
  new GroupLedger(em, group, SYSTEM_AUTHOR, now).record({ cause: 'CANCELLED' }, ({ counts }) => {
    group.cancelledAt = now;
    counts.openInvitations = 0;
  });
}
