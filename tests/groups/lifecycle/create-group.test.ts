import { describe, expect, it, jest } from '@jest/globals';
import { createGroup, getGroup } from '../../../src/groups/index.js';
import { recordStatements } from '../../support/database/count-statements.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { readTaskStatuses } from '../../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { ANONYMOUS, createUser, serviceActor } from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';
import { waitUntil } from '../../support/wait-until.js';

const fixture = useGroupsFixture();

describe('createGroup', () => {
  it('makes the creator an owner who has accepted', async () => {
    const creator = await createUser(fixture);
    const { group } = await createGroup(fixture.deps, creator, {
      name: 'Supper club',
      description: 'Thursdays',
      quorum: 3,
    });
    expect(group).toMatchObject({
      name: 'Supper club',
      description: 'Thursdays',
      quorum: 3,
      respondBy: null,
      state: 'FORMING',
      revision: 1,
      acceptedCount: 1,
      memberCount: 1,
      requiredCount: 3,
      createdAt: fixture.clock.now(),
      stateChangedAt: fixture.clock.now(),
      viewerMembership: {
        userId: creator.userId,
        role: 'OWNER',
        status: 'ACCEPTED',
        invitedById: null,
        revision: 1,
        respondedAt: fixture.clock.now(),
      },
      compatibilityScore: null,
    });
    await expectGroupInvariants(fixture, group.id);
  });

  it('returns the same view as getGroup', async () => {
    const creator = await createUser(fixture);
    const { group } = await createGroup(fixture.deps, creator, { name: 'Choir', respondBy: fixture.clock.in(60_000) });
    const read = await getGroup(fixture.deps, creator, group.id);
    // Only a read of the group reads the version of its lists.
    const viewerMembership = { ...read.viewerMembership, user: undefined };
    expect({ ...read, viewerMembership, membersVersion: null }).toEqual(group);
  });

  it('records revision 1 with the creator as subject', async () => {
    const creator = await createUser(fixture);
    const { group } = await createGroup(fixture.deps, creator, { name: 'Choir' });
    expect(await readHistoryRows(fixture, group.id)).toEqual([
      expect.objectContaining({
        revision: 1,
        cause: 'CREATED',
        actor_id: creator.userId,
        api_key: null,
        subject_id: creator.userId,
        status: 'ACCEPTED',
        state_before: null,
        state_after: 'FORMING',
      }),
    ]);
  });

  it('creates a CONFIRMED group when the quorum is 1', async () => {
    const { group } = await createGroup(fixture.deps, await createUser(fixture), { name: 'Solo', quorum: 1 });
    expect(group.state).toBe('CONFIRMED');
    await expectGroupInvariants(fixture, group.id);
  });

  it('treats null like an absent optional field', async () => {
    const { group } = await createGroup(fixture.deps, await createUser(fixture), {
      name: 'Choir',
      description: null,
      quorum: null,
      respondBy: null,
    });
    expect(group).toMatchObject({ description: null, quorum: null, respondBy: null });
  });

  it('stores texts in NFC', async () => {
    const { group } = await createGroup(fixture.deps, await createUser(fixture), {
      name: 'Cafe\u0301',
      description: 'Cafe\u0301\nbring a cup',
    });
    expect(group).toMatchObject({ name: 'Caf\u00e9', description: 'Caf\u00e9\nbring a cup' });
  });

  it('reports all invalid fields in one error', async () => {
    const creator = await createUser(fixture);
    const input = { name: '', description: 'x'.repeat(2_001), quorum: 0, respondBy: fixture.clock.now() };
    await expect(createGroup(fixture.deps, creator, input)).rejects.toEqual(
      errorWithFields('name', 'description', 'quorum', 'respondBy'),
    );
  });

  it.each([
    ['a name of 121 characters', { name: 'x'.repeat(121) }, 'name'],
    ['a name of two lines', { name: 'one\ntwo' }, 'name'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['half a quorum', { name: 'x', quorum: 1.5 }, 'quorum'],
    ['a quorum over a million', { name: 'x', quorum: 1_000_001 }, 'quorum'],
    ['a deadline that is no date', { name: 'x', respondBy: new Date(NaN) }, 'respondBy'],
  ])('rejects %s', async (_, input, field) => {
    await expect(createGroup(fixture.deps, await createUser(fixture), input)).rejects.toEqual(errorWithFields(field));
  });

  it('counts characters of a name, not code units', async () => {
    const { group } = await createGroup(fixture.deps, await createUser(fixture), {
      name: '🍲'.repeat(120),
      description: '',
      quorum: 1_000_000,
    });
    expect(group.name).toHaveLength(240);
  });

  it('checks authentication, then the input, then that the caller is a user', async () => {
    await expect(createGroup(fixture.deps, ANONYMOUS, { name: '' })).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(createGroup(fixture.deps, serviceActor(['groups:read']), { name: '' })).rejects.toEqual(
      errorWithFields('name'),
    );
    await expect(createGroup(fixture.deps, serviceActor(['groups:read']), { name: 'x' })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });

  it('rejects a caller whose account was deleted after the token was issued', async () => {
    const gone = await createUser(fixture);
    await fixture.sql('delete from account where id = $1', [gone.userId]);
    await expect(createGroup(fixture.deps, gone, { name: 'x' })).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
  });
});

describe('the statement of createGroup', () => {
  it('stores the group, its owner, its revision and the task of its deadline', async () => {
    const creator = await createUser(fixture);
    const params = { name: 'Choir', respondBy: fixture.clock.in(60_000) };
    const { result, texts } = await recordStatements(() => createGroup(fixture.deps, creator, params));
    expect(texts).toHaveLength(1);
    await expectGroupInvariants(fixture, result.group.id);
    expect(await readTaskStatuses(fixture, 'record_deadline', { groupId: result.group.id })).toEqual(['QUEUED']);
  });

  it('stores one group when the connection is lost after the commit', async () => {
    const creator = await createUser(fixture);
    const { pool } = fixture.deps.database;
    const send = pool.query.bind(pool) as (config: never) => Promise<unknown>;
    const sendAndLose = async (config: never): Promise<void> => {
      await send(config);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    const lost = jest.spyOn(pool, 'query').mockImplementationOnce(sendAndLose as never);
    const { group } = await createGroup(fixture.deps, creator, { name: 'Choir' });
    lost.mockRestore();
    await expectGroupInvariants(fixture, group.id);
    expect(await fixture.sql('select group_id from member where user_id = $1', [creator.userId])).toEqual([
      { group_id: group.id },
    ]);
  });

  it('stores neither group nor key for a disabled account', async () => {
    const creator = await createUser(fixture);
    await fixture.sql('update account set disabled_at = now() where id = $1', [creator.userId]);
    const operation = { key: 'disabled', operation: 'createGroup', actor: creator, input: {} };
    await expect(createGroup(fixture.deps, creator, { name: 'Choir' }, operation)).rejects.toEqual(
      errorWithReason('TOKEN_REVOKED'),
    );
    expect(await fixture.sql('select from member where user_id = $1', [creator.userId])).toEqual([]);
    expect(await fixture.sql('select from idempotent_request where account_id = $1', [creator.userId])).toEqual([]);
  });

  it('waits for a concurrent disabling of the account, and then stores nothing', async () => {
    const creator = await createUser(fixture);
    const disabling = await fixture.deps.database.pool.connect();
    await disabling.query('begin');
    await disabling.query('update account set disabled_at = now() where id = $1', [creator.userId]);
    const creating = createGroup(fixture.deps, creator, { name: 'Choir' });
    const rejected = expect(creating).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
    await waitUntil('the creation waits', () => isLockAwaited(fixture.deps.database));
    await disabling.query('commit');
    disabling.release();
    await rejected;
    expect(await fixture.sql('select from member where user_id = $1', [creator.userId])).toEqual([]);
  });

  it('creates one group under concurrent uses of one Idempotency-Key', async () => {
    const creator = await createUser(fixture);
    const operation = { key: 'concurrent', operation: 'createGroup', actor: creator, input: {} };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => createGroup(fixture.deps, creator, { name: 'Choir' }, operation)),
    );
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'REQUEST_IN_PROGRESS' });
    const made = await fixture.sql<{ group_id: string }>('select group_id from member where user_id = $1', [
      creator.userId,
    ]);
    expect(made).toHaveLength(1);
    expect(await fixture.sql('select made from idempotent_request where account_id = $1', [creator.userId])).toEqual([
      { made: { groupId: made[0]?.group_id } },
    ]);
    const other = createGroup(fixture.deps, creator, { name: 'Choir' }, { ...operation, input: { name: 'Band' } });
    await expect(other).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });
});
