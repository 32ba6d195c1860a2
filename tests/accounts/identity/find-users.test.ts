import { describe, expect, it } from '@jest/globals';
import { findUsers, newId, type UserReference } from '../../../src/accounts/index.js';
import { inTransaction } from '../../../src/database/index.js';
import { createUser } from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

function find(references: readonly UserReference[]) {
  return inTransaction(fixture.deps.database, (em) => findUsers(em, references));
}

describe('findUsers', () => {
  it('returns for each id or username, in any case, the user or null, in order', async () => {
    const zoe = await createUser(fixture, 'Zoé');
    const found = await find([
      { username: 'ZOE\u0301' },
      { userId: newId() },
      { userId: zoe.userId },
      { username: 'nobody' },
      { username: 'zoé' },
    ]);
    expect(found).toEqual([
      expect.objectContaining({ id: zoe.userId }),
      null,
      expect.objectContaining({ username: 'Zoé' }),
      null,
      found[0],
    ]);
    expect(found[0]).toEqual({ id: zoe.userId, username: 'Zoé', displayName: null, createdAt: fixture.clock.now() });
  });

  it.each(['', 'a\0b', '\ud800', '{x,"y}', `'; drop table account; --`, '?', '\\', 'x'.repeat(100_000)])(
    'returns null for the impossible name %#',
    async (username) => {
      expect(await find([{ username }])).toEqual([null]);
    },
  );

  it('returns an empty list for no references', async () => {
    expect(await find([])).toEqual([]);
  });

  it('locks the accounts against deletion until the transaction ends', async () => {
    const someone = await createUser(fixture);
    await inTransaction(fixture.deps.database, async (em) => {
      await findUsers(em, [{ userId: someone.userId }]);
      const deletion = fixture.sql(`set lock_timeout = '50ms'; delete from account where id = '${someone.userId}'`);
      await expect(deletion).rejects.toThrow('lock timeout');
    });
    await fixture.sql('delete from account where id = $1', [someone.userId]);
    expect(await find([{ userId: someone.userId }])).toEqual([null]);
  });
});
