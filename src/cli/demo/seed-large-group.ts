import { newId, usernameKey, type AccountsDeps, type UserActor } from '../../accounts/index.js';
import { unnamedStatement, type Database } from '../../database/index.js';
import { createGroup, inviteToGroup, type GroupsDeps } from '../../groups/index.js';

/** Largest number of invitees of one call. */
const BATCH_SIZE = 500;

/** Inserts accounts that cannot log in, since `none` is no password hash. */
const INSERT_USERS = unnamedStatement(`
  insert into account (id, username, username_key, password_hash, created_at)
  select id, name, key, 'none', $4 from unnest($1::uuid[], $2::text[], $3::text[]) as person (id, name, key)`);

export interface LargeGroup {
  readonly groupId: string;
  readonly owner: UserActor;
  readonly memberIds: readonly string[];
}

export interface SeedDeps {
  readonly database: Database;
  readonly accounts: Pick<AccountsDeps, 'clock'>;
  readonly groups: GroupsDeps;
}

/**
 * Creates users and a group of them, through the use cases of an owner, so that history and counts are complete.
 *
 * @param members number of members, the owner included
 * @param onProgress called after each batch with the number of members so far
 */
export async function seedLargeGroup(
  deps: SeedDeps,
  members: number,
  onProgress: (done: number) => void,
): Promise<LargeGroup> {
  const run = newId().slice(-8);
  const [ownerId = ''] = await insertUsers(deps, [`host-${run}`]);
  const owner: UserActor = { kind: 'user', userId: ownerId, sessionId: newId() };
  const { group } = await createGroup(deps.groups, owner, {
    name: `Everyone ${run}`,
    quorum: Math.max(1, Math.ceil(members / 2)),
  });
  const memberIds = [ownerId];
  while (memberIds.length < members) {
    const count = Math.min(BATCH_SIZE, members - memberIds.length);
    const names = Array.from({ length: count }, (_, index) => `guest-${run}-${String(memberIds.length + index)}`);
    const ids = await insertUsers(deps, names);
    await inviteToGroup(deps.groups, owner, { groupId: group.id, invitees: ids.map((userId) => ({ userId })) });
    memberIds.push(...ids);
    onProgress(memberIds.length);
  }
  return { groupId: group.id, owner, memberIds };
}

async function insertUsers({ database, accounts }: SeedDeps, names: readonly string[]): Promise<string[]> {
  const ids = names.map(() => newId());
  const values = [ids, names, names.map(usernameKey), accounts.clock.now()];
  await database.write(INSERT_USERS, values, { idempotent: false });
  return ids;
}
