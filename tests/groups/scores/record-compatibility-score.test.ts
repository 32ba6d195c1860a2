import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId, type Actor } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import {
  cancelGroup,
  getGroup,
  GroupWriteQueue,
  inviteToGroup,
  recordCompatibilityScore,
  updateGroup,
  updateMemberStatus,
} from '../../../src/groups/index.js';
import { recordStatements } from '../../support/database/count-statements.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants } from '../../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupsFixture,
  createGroupWithMembers,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../../support/groups/groups-fixture.js';
import { waitUntil } from '../../support/wait-until.js';

let fixture: GroupsFixture;
let matchmaker: Actor;
beforeAll(async () => {
  fixture = await createGroupsFixture();
  matchmaker = serviceActor(['scores:write']);
});
afterAll(() => fixture.close());

describe('recordCompatibilityScore', () => {
  it("replaces the current score, keeps the history and does not change the group's revision", async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    await recordCompatibilityScore(fixture.deps, matchmaker, { groupId, value: 71.5, source: 'model 1' });
    fixture.clock.advance(1_000);
    const { group } = await recordCompatibilityScore(fixture.deps, matchmaker, {
      groupId,
      value: 20,
      source: 'model 2',
    });
    expect(group).toMatchObject({
      revision: 1,
      compatibilityScore: { value: 20, source: 'model 2', scoredAt: fixture.clock.now(), stale: false },
    });
    expect((await getGroup(fixture.deps, owner, groupId)).compatibilityScore).toEqual(group.compatibilityScore);
    expect(
      await fixture.sql('select sequence, value from compatibility_score where group_id = $1 order by sequence', [
        groupId,
      ]),
    ).toEqual([
      { sequence: 1, value: 71.5 },
      { sequence: 2, value: 20 },
    ]);
    await expectGroupInvariants(fixture, groupId);
  });

  it('returns exactly the recorded number', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const values = [0, 100, 0.1 + 0.2, Number.MIN_VALUE, 1e-7, 99.99999999999999, 33.333333333333336];
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 100, noNaN: true }), async (value) => {
        await recordCompatibilityScore(fixture.deps, matchmaker, { groupId, value, source: 'x' });
        const stored = (await getGroup(fixture.deps, owner, groupId)).compatibilityScore?.value;
        expect(Object.is(stored, value + 0)).toBe(true);
      }),
      { numRuns: 40, examples: values.map((value) => [value]) },
    );
  });

  it('stores -0 as 0', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const { group } = await recordCompatibilityScore(fixture.deps, matchmaker, { groupId, value: -0, source: 'x' });
    expect(group.compatibilityScore?.value).toBe(0);
    expect((await getGroup(fixture.deps, owner, groupId)).compatibilityScore?.value).toBe(0);
  });

  it.each([NaN, Infinity, -Infinity, -Number.MIN_VALUE, -1, 100.00000000000001, 1e308])(
    'rejects %d and changes nothing',
    async (value) => {
      const [owner] = await createUsers(fixture, 2);
      const groupId = await createGroupWithMembers(fixture, owner);
      await recordCompatibilityScore(fixture.deps, matchmaker, { groupId, value: 50, source: 'x' });
      await expect(recordCompatibilityScore(fixture.deps, matchmaker, { groupId, value, source: '' })).rejects.toEqual(
        errorWithFields('value', 'source'),
      );
      expect((await getGroup(fixture.deps, owner, groupId)).compatibilityScore?.value).toBe(50);
    },
  );

  it('rejects a source of more than 80 characters', async () => {
    await expect(
      recordCompatibilityScore(fixture.deps, matchmaker, { groupId: newId(), value: 1, source: 'x'.repeat(81) }),
    ).rejects.toEqual(errorWithFields('source'));
  });

  it('becomes stale when members or responses change, not with name, rule or deadline', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const isStale = async (): Promise<boolean | undefined> =>
      (await getGroup(fixture.deps, owner, groupId)).compatibilityScore?.stale;
    const score = () => recordCompatibilityScore(fixture.deps, matchmaker, { groupId, value: 1, source: 'x' });
    await score();
    await updateGroup(fixture.deps, owner, { groupId, name: 'Choir' });
    await updateGroup(fixture.deps, owner, { groupId, quorum: 2, respondBy: fixture.clock.in(MINUTE_MS) });
    expect(await isStale()).toBe(false);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: other.userId }] });
    expect(await isStale()).toBe(true);
    await score();
    expect(await isStale()).toBe(false);
    const { group } = await updateMemberStatus(fixture.deps, guest, {
      groupId,
      userId: guest.userId,
      status: 'ACCEPTED',
    });
    expect(await isStale()).toBe(true);
    expect(group.compatibilityScore).toBeUndefined();
    await score();
    fixture.clock.advance(MINUTE_MS);
    await updateGroup(fixture.deps, owner, { groupId, respondBy: fixture.clock.in(MINUTE_MS) });
    expect(await isStale()).toBe(false);
    await cancelGroup(fixture.deps, owner, { groupId });
    expect(await isStale()).toBe(false);
  });

  it('stores all of many concurrent scores', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    await Promise.all(
      Array.from({ length: 20 }, (_, value) =>
        recordCompatibilityScore(fixture.deps, matchmaker, { groupId, value, source: 'x' }),
      ),
    );
    const rows = await fixture.sql<{ sequence: number; value: number }>(
      'select sequence, value from compatibility_score where group_id = $1 order by sequence',
      [groupId],
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect((await getGroup(fixture.deps, owner, groupId)).compatibilityScore?.value).toBe(rows.at(-1)?.value);
  });

  it('allows API clients with the scope and administrators, and checks in the usual order', async () => {
    const [owner, stranger] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const input = { groupId, value: 1, source: 'x' };
    await expect(recordCompatibilityScore(fixture.deps, ANONYMOUS, { ...input, value: -1 })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(recordCompatibilityScore(fixture.deps, stranger, { ...input, value: -1 })).rejects.toEqual(
      errorWithFields('value'),
    );
    await expect(recordCompatibilityScore(fixture.deps, stranger, input)).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(recordCompatibilityScore(fixture.deps, owner, input)).rejects.toEqual(
      errorWithReason('ADMIN_REQUIRED'),
    );
    await expect(
      recordCompatibilityScore(fixture.deps, serviceActor(['groups:read', 'responses:write']), input),
    ).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
    await expect(
      recordCompatibilityScore(fixture.deps, serviceActor(['scores:write'], [newId()]), input),
    ).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    const root = await createAdmin(fixture);
    expect((await recordCompatibilityScore(fixture.deps, root, input)).group.compatibilityScore?.value).toBe(1);
    await cancelGroup(fixture.deps, owner, { groupId });
    await expect(recordCompatibilityScore(fixture.deps, owner, input)).rejects.toEqual(
      errorWithReason('ADMIN_REQUIRED'),
    );
    await expect(recordCompatibilityScore(fixture.deps, root, input)).rejects.toEqual(
      errorWithReason('GROUP_CANCELLED'),
    );
  });
});

describe('the statement of recordCompatibilityScore', () => {
  const score = { value: 50, source: 'model' };

  it('is one for an API key', async () => {
    const [owner] = await createUsers(fixture, 1);
    const groupId = await createGroupWithMembers(fixture, owner);
    const record = () => recordCompatibilityScore(fixture.deps, matchmaker, { groupId, ...score });
    expect((await recordStatements(record)).texts).toHaveLength(1);
    const { group } = await record();
    const read = await getGroup(fixture.deps, owner, groupId);
    expect(group).toEqual({ ...read, viewerMembership: null, membersVersion: null });
  });

  it('stores the time of the score before it when the clock is behind that', async () => {
    const [owner] = await createUsers(fixture, 1);
    const groupId = await createGroupWithMembers(fixture, owner);
    const record = () => recordCompatibilityScore(fixture.deps, matchmaker, { groupId, ...score });
    const first = await record();
    fixture.clock.advance(-1_000);
    const second = await record();
    fixture.clock.advance(1_000);
    expect(second.group.compatibilityScore?.scoredAt).toEqual(first.group.compatibilityScore?.scoredAt);
  });

  it('numbers the scores of two processes without gaps, while members respond', async () => {
    const [owner] = await createUsers(fixture, 1);
    const groupId = await createGroupWithMembers(fixture, owner);
    const other = { ...fixture.deps, writeQueue: new GroupWriteQueue() };
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        if (index % 3 === 2)
          return updateMemberStatus(fixture.deps, owner, {
            groupId,
            userId: owner.userId,
            status: index % 2 === 0 ? 'DECLINED' : 'ACCEPTED',
          });
        return recordCompatibilityScore(index % 3 === 0 ? fixture.deps : other, matchmaker, { groupId, ...score });
      }),
    );
    const rows = await fixture.sql<{ sequence: number }>(
      'select sequence from compatibility_score where group_id = $1 order by sequence',
      [groupId],
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    await expectGroupInvariants(fixture, groupId);
  });

  it('waits for a concurrent cancellation, and then throws GROUP_CANCELLED', async () => {
    const [owner] = await createUsers(fixture, 1);
    const groupId = await createGroupWithMembers(fixture, owner);
    const cancelling = await fixture.deps.database.pool.connect();
    await cancelling.query('begin');
    await cancelling.query('update groups set cancelled_at = now() where id = $1', [groupId]);
    const rejected = expect(recordCompatibilityScore(fixture.deps, matchmaker, { groupId, ...score })).rejects.toEqual(
      errorWithReason('GROUP_CANCELLED'),
    );
    await waitUntil('the score waits', () => isLockAwaited(fixture.deps.database));
    await cancelling.query('commit');
    cancelling.release();
    await rejected;
    expect(await fixture.sql('select from compatibility_score where group_id = $1', [groupId])).toEqual([]);
  });
});
