import { newId, usernameKey, type AccountsDeps, type UserActor } from '../../accounts/index.js';
import type { Database } from '../../database/index.js';
import { createGroup, inviteToGroup, type GroupsDeps } from '../../groups/index.js';

/** The most that one call invites. */
const BATCH = 500;

/** People without a password: the hash is none, so nobody logs in as them. */
const ADD_PEOPLE = `
  insert into account (id, username, username_key, password_hash, created_at)
  select id, name, key, 'none', $4 from unnest($1::uuid[], $2::text[], $3::text[]) as person (id, name, key)`;

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
 * Makes a group of any size, of people made for it, by inviting them as an owner would: with every revision and count.
 *
 * @param members its owner included
 * @param onProgress hears how many members there are by now
 */
export async function seedLargeGroup(
  deps: SeedDeps,
  members: number,
  onProgress: (done: number) => void,
): Promise<LargeGroup> {
  const run = newId().slice(-8);
  const [ownerId = ''] = await addPeople(deps, [`host-${run}`]);
  const owner: UserActor = { kind: 'user', userId: ownerId, sessionId: newId() };
  const { group } = await createGroup(deps.groups, owner, {
    name: `Everyone ${run}`,
    quorum: Math.max(1, Math.ceil(members / 2)),
  });
  const memberIds = [ownerId];
  while (memberIds.length < members) {
    const count = Math.min(BATCH, members - memberIds.length);
    const names = Array.from({ length: count }, (_, index) => `guest-${run}-${String(memberIds.length + index)}`);
    const ids = await addPeople(deps, names);
    await inviteToGroup(deps.groups, owner, { groupId: group.id, invitees: ids.map((userId) => ({ userId })) });
    memberIds.push(...ids);
    onProgress(memberIds.length);
  }
  return { groupId: group.id, owner, memberIds };
}

async function addPeople({ database, accounts }: SeedDeps, names: readonly string[]): Promise<string[]> {
  const ids = names.map(() => newId());
  await database.pool.query(ADD_PEOPLE, [ids, names, names.map(usernameKey), accounts.clock.now()]);
  return ids;
}
