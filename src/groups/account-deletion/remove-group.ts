import type { EntityManager } from '@mikro-orm/postgresql';
import { revokeOpenInvitations } from '../invitations/revoke-invitation.js';
import type { Group } from '../model/group.entity.js';
import { GroupLedger, SYSTEM_AUTHOR } from '../transaction/group-ledger.js';

/** Rows of one table of one group that one transaction deletes at most. */
export const ROWS_PER_BATCH = 1_000;

/** The tables that hold many rows of a group, with the rest of their primary key. */
const PARTS = [
  ['group_change', 'revision'],
  ['compatibility_score', 'sequence'],
  ['invitation', 'id'],
] as const;

const deletePartSql = (table: string, key: string): string => `
  delete from ${table} where group_id = ? and ${key} = any(array(
    select ${key} from ${table} where group_id = ? order by ${key} limit ${ROWS_PER_BATCH})) returning 1`;

/** SQL for how many rows a group has in those tables, each counted up to one more than a batch. */
export const rowsOfGroupSql = (groupId: string): string =>
  PARTS.map(
    ([table]) =>
      `(select count(*) from (select from ${table} where group_id = ${groupId} limit ${ROWS_PER_BATCH + 1}) counted)`,
  ).join(' + ');

/**
 * Removes a group that is locked and has no member whose account exists; of a large one only up to 1,000 rows of each kind, so
 * that no transaction is long. Call it again for the rest.
 *
 * A large group is cancelled first: nobody joins it any more, so it never goes on with a part of its history.
 */
export async function removeGroup(em: EntityManager, group: Group, now: Date): Promise<void> {
  if (!(await isLarge(em, group))) {
    em.remove(group);
    return;
  }
  if (group.cancelledAt === null) await cancel(em, group, now);
  // The statements below do not flush the unit of work.
  await em.flush();
  for (const [table, key] of PARTS) await em.execute(deletePartSql(table, key), [group.id, group.id]);
}

async function isLarge(em: EntityManager, { id }: Group): Promise<boolean> {
  const [row] = await em.execute<{ rows: string }[]>(
    `select ${rowsOfGroupSql('g.id')} as rows from (select ?::uuid as id) g`,
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
