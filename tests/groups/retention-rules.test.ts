import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { DAY_MS } from '../../src/async/durations.js';
import { GROUP_RETENTION_RULES } from '../../src/groups/index.js';
import { pruneOnce } from '../support/database/prune-once.js';
import {
  createGroupsFixture,
  createGroupWithMembers,
  createUser,
  type GroupsFixture,
} from '../support/groups/groups-fixture.js';
import { uniqueEmail } from '../support/groups/invitation-fixture.js';

let world: GroupsFixture;

beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

function prune(): Promise<void> {
  return pruneOnce(world.deps.database, world.clock.now(), GROUP_RETENTION_RULES);
}

describe('GROUP_RETENTION_RULES', () => {
  it('delete closed invitations 30 days after their expiry', async () => {
    const groupId = await createGroupWithMembers(world, await createUser(world));
    for (const status of ['OPEN', 'LAPSED', 'CLAIMED', 'DECLINED', 'REVOKED']) {
      for (const expiresAt of [world.clock.in(-30 * DAY_MS), world.clock.in(1 - 30 * DAY_MS)]) {
        await world.sql(
          `
          insert into invitation (id, group_id, email, email_key, issue, status, created_at, expires_at)
          values ($1, $2, $3, $3, 1, $4, $5, $5)`,
          [newId(), groupId, uniqueEmail(), status, expiresAt],
        );
      }
    }
    await prune();
    const rows = await world.sql<{ status: string; count: number }>(
      'select status, count(*)::int as count from invitation group by status',
    );
    expect(Object.fromEntries(rows.map(({ status, count }) => [status, count]))).toEqual({
      OPEN: 2,
      LAPSED: 2,
      CLAIMED: 1,
      DECLINED: 1,
      REVOKED: 1,
    });
  });

  it('delete mail records when no limit counts them', async () => {
    for (const at of [world.clock.in(-DAY_MS), world.clock.in(1 - DAY_MS)]) {
      await world.sql('insert into invitation_mail values ($1, null, $2, $3)', [newId(), uniqueEmail(), at]);
    }
    await prune();
    expect(await world.sql('select from invitation_mail')).toHaveLength(1);
  });
});
