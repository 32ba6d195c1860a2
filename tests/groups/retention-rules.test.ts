import { describe, expect, it } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { DAY_MS } from '../../src/async/durations.js';
import { GROUP_RETENTION_RULES } from '../../src/groups/index.js';
import { pruneOnce } from '../support/database/prune-once.js';
import { createGroupWithMembers, createUser } from '../support/groups/groups-fixture.js';
import { uniqueEmail } from '../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

function prune(): Promise<void> {
  return pruneOnce(fixture.deps.database, fixture.clock.now(), GROUP_RETENTION_RULES);
}

describe('GROUP_RETENTION_RULES', () => {
  it('delete closed invitations 30 days after their expiry', async () => {
    const groupId = await createGroupWithMembers(fixture, await createUser(fixture));
    for (const status of ['OPEN', 'LAPSED', 'CLAIMED', 'DECLINED', 'REVOKED']) {
      for (const expiresAt of [fixture.clock.in(-30 * DAY_MS), fixture.clock.in(1 - 30 * DAY_MS)]) {
        await fixture.sql(
          `
          insert into invitation (id, group_id, email, email_key, issue, status, created_at, expires_at)
          values ($1, $2, $3, $3, 1, $4, $5, $5)`,
          [newId(), groupId, uniqueEmail(), status, expiresAt],
        );
      }
    }
    await prune();
    const rows = await fixture.sql<{ status: string; count: number }>(
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
    for (const at of [fixture.clock.in(-DAY_MS), fixture.clock.in(1 - DAY_MS)]) {
      await fixture.sql('insert into invitation_mail values ($1, null, $2, $3)', [newId(), uniqueEmail(), at]);
    }
    await prune();
    expect(await fixture.sql('select from invitation_mail')).toHaveLength(1);
  });
});
