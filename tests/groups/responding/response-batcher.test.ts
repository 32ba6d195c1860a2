import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { UserActor } from '../../../src/accounts/index.js';
import { inTransaction, type Statement } from '../../../src/database/index.js';
import { DomainError } from '../../../src/errors/index.js';
import {
  GroupWriteQueue,
  RESPONSE_STATUSES,
  updateGroup,
  updateMemberStatus,
  type ResponseStatus,
} from '../../../src/groups/index.js';
import { countStatements, recordStatements } from '../../support/database/count-statements.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { createGroupWithMembers, createUsers, type GroupsFixture } from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';
import { waitUntil } from '../../support/wait-until.js';

const fixture = useGroupsFixture('in one process');
const separate = useGroupsFixture('in separate processes');

async function openGroup(where: GroupsFixture, size: number): Promise<{ groupId: string; guests: UserActor[] }> {
  const [owner, ...guests] = await createUsers(where, size + 1);
  return { groupId: await createGroupWithMembers(where, owner, guests), guests };
}

const accept = (where: GroupsFixture, groupId: string, { userId }: UserActor, actor: UserActor) =>
  updateMemberStatus(where.deps, actor, { groupId, userId, status: 'ACCEPTED' });

interface Response {
  readonly seat: number;
  readonly status: ResponseStatus;
  readonly expectedRevision: number | null;
}

const responses = fc.array(
  fc.record<Response>({
    seat: fc.nat({ max: 3 }),
    status: fc.constantFrom(...RESPONSE_STATUSES),
    expectedRevision: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 }),
  }),
  { minLength: 2, maxLength: 20 },
);

/** Settles the response to what can be compared between two groups. */
async function outcomeOf(
  where: GroupsFixture,
  groupId: string,
  guest: UserActor,
  { status, expectedRevision }: Response,
): Promise<unknown> {
  try {
    const params = { groupId, userId: guest.userId, status, expectedRevision };
    const { member, group, changed, previousState } = await updateMemberStatus(where.deps, guest, params);
    const { state, revision, answersRevision, counts } = group;
    return [
      member.status,
      member.revision,
      member.respondedAt,
      state,
      revision,
      answersRevision,
      counts,
      changed,
      previousState,
    ];
  } catch (error) {
    return error instanceof DomainError ? error.reason : error;
  }
}

async function historyOf(where: GroupsFixture, groupId: string, guests: readonly UserActor[]): Promise<unknown[]> {
  return (await readHistoryRows(where, groupId)).map(({ group_id: _, actor_id: __, subject_id: subject, ...row }) => ({
    ...row,
    seat: guests.findIndex(({ userId }) => userId === subject),
  }));
}

async function addFailure(where: GroupsFixture, statementOnFailure: string, subject: UserActor): Promise<void> {
  await where.sql(`create function fail() returns trigger language plpgsql as $$ begin
    if new.subject_id = '${subject.userId}' then ${statementOnFailure}; end if; return new; end $$`);
  await where.sql(`create trigger fail before insert on group_change for each row execute function fail()`);
}

async function removeFailure(where: GroupsFixture): Promise<void> {
  // A lost connection takes the idle ones of the pool with it.
  await waitUntil('the failure is removed', () =>
    where.sql('drop function fail cascade').then(
      () => true,
      () => false,
    ),
  );
}

describe('ResponseBatcher', () => {
  it('writes all responses that arrive during a write with two statements', async () => {
    const { groupId, guests } = await openGroup(fixture, 40);
    const { statements } = await countStatements(() =>
      Promise.all(guests.map((guest) => accept(fixture, groupId, guest, guest))),
    );
    // The first response is written alone.
    expect(statements).toBe(4);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 41, revision: 81 });
  });

  it('writes responses to several groups, which arrive together, with two statements', async () => {
    const groups = await Promise.all(Array.from({ length: 6 }, () => openGroup(fixture, 2)));
    const { statements } = await countStatements(() =>
      Promise.all(groups.map(({ groupId, guests: [guest] }) => accept(fixture, groupId, guest!, guest!))),
    );
    expect(statements).toBe(2);
    for (const { groupId } of groups)
      expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 2, revision: 4 });
  });

  it('does not wait for a group whose row is locked before it writes the others', async () => {
    const [locked, free] = [await openGroup(fixture, 1), await openGroup(fixture, 1)];
    const [lockedGuest, freeGuest] = [locked.guests[0]!, free.guests[0]!];
    let waiting: Promise<unknown> = Promise.resolve();
    await inTransaction(fixture.deps.database, async (em) => {
      await em.execute('select 1 from groups where id = ? for update', [locked.groupId]);
      waiting = accept(fixture, locked.groupId, lockedGuest, lockedGuest);
      await accept(fixture, free.groupId, freeGuest, freeGuest);
    });
    await waiting;
    for (const { groupId } of [locked, free])
      expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 2, revision: 3 });
  });

  it('accepts the responses to the other groups when one group cannot be stored', async () => {
    const groups = await Promise.all(Array.from({ length: 3 }, () => openGroup(fixture, 1)));
    await addFailure(fixture, `raise exception 'refused'`, groups[1]!.guests[0]!);
    const settled = await Promise.allSettled(
      groups.map(({ groupId, guests: [guest] }) => accept(fixture, groupId, guest!, guest!)),
    );
    await removeFailure(fixture);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await expectGroupInvariants(fixture, groups[2]!.groupId)).toMatchObject({ acceptedCount: 2, revision: 3 });
  });

  it('returns to each response what it has after those before it', async () => {
    const { groupId, guests } = await openGroup(fixture, 3);
    const results = await Promise.all(guests.map((guest) => accept(fixture, groupId, guest, guest)));
    expect(results.map(({ group, previousState }) => [group.acceptedCount, previousState, group.state])).toEqual([
      [2, 'FORMING', 'FORMING'],
      [3, 'FORMING', 'FORMING'],
      [4, 'FORMING', 'CONFIRMED'],
    ]);
  });

  it('applies concurrent responses as if each came after the one before it', async () => {
    await fc.assert(
      fc.asyncProperty(responses, async (sequence) => {
        const [together, apart] = [await openGroup(fixture, 4), await openGroup(separate, 4)];
        const concurrent = Promise.all(
          sequence.map((response) => outcomeOf(fixture, together.groupId, together.guests[response.seat]!, response)),
        );
        const oneByOne: unknown[] = [];
        for (const response of sequence)
          oneByOne.push(await outcomeOf(separate, apart.groupId, apart.guests[response.seat]!, response));
        expect(await concurrent).toEqual(oneByOne);
        expect(await historyOf(fixture, together.groupId, together.guests)).toEqual(
          await historyOf(separate, apart.groupId, apart.guests),
        );
        await expectGroupInvariants(fixture, together.groupId);
      }),
      { numRuns: 20 },
    );
  }, 120_000);

  it('decides under the row lock after two collisions, and counts every response once', async () => {
    const { groupId, guests } = await openGroup(separate, 30);
    const { texts } = await recordStatements(() =>
      Promise.all(guests.map((guest) => accept(separate, groupId, guest, guest))),
    );
    expect(texts.filter((text) => text.includes('for update')).length).toBeGreaterThan(0);
    expect(await expectGroupInvariants(separate, groupId)).toMatchObject({ acceptedCount: 31, revision: 61 });
  });

  it('reads a group again that another process has changed since the read', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const { database } = fixture.deps;
    const query = database.query.bind(database);
    const elsewhere = { ...fixture.deps, writeQueue: new GroupWriteQueue() };
    const isRead = ({ name }: Statement<unknown>) => name === 'responding_groups';
    const queries = jest.spyOn(database, 'query').mockImplementation(async (statement, values) => {
      const rows = await query(statement, values);
      if (isRead(statement) && queries.mock.calls.filter(([each]) => isRead(each)).length === 1)
        await updateGroup(elsewhere, owner, { groupId, name: 'Band' });
      return rows;
    });
    await accept(fixture, groupId, guest, guest);
    const reads = queries.mock.calls.filter(([statement]) => isRead(statement));
    queries.mockRestore();
    expect(reads).toHaveLength(2);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 2, revision: 4 });
  });

  it('takes the row lock immediately, for a second after two collisions', async () => {
    const { groupId, guests } = await openGroup(fixture, 2);
    const [first, second] = guests as [UserActor, UserActor];
    let waiting: Promise<unknown> = Promise.resolve();
    const collisions = await recordStatements(() =>
      inTransaction(fixture.deps.database, async (em) => {
        await em.execute('select 1 from groups where id = ? for update', [groupId]);
        waiting = accept(fixture, groupId, first, first);
        await waitUntil('the response waits for the lock', () => isLockAwaited(fixture.deps.database));
      }),
    );
    await waiting;
    expect(collisions.texts.filter((text) => text.includes('skip locked'))).toHaveLength(2);
    const { texts } = await recordStatements(() => accept(fixture, groupId, second, second));
    expect(texts[1]).toMatch(/^select 1 from groups/);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 3, revision: 5 });
  });

  it('accepts the other responses of a batch in which one cannot be stored', async () => {
    const { groupId, guests } = await openGroup(fixture, 5);
    await addFailure(fixture, `raise exception 'refused'`, guests[2]!);
    const settled = await Promise.allSettled(guests.map((guest) => accept(fixture, groupId, guest, guest)));
    await removeFailure(fixture);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 5, revision: 10 });
  });

  it('reports a connection that is lost during the write, which then stores nothing', async () => {
    const { groupId, guests } = await openGroup(fixture, 3);
    await addFailure(fixture, 'perform pg_terminate_backend(pg_backend_pid())', guests[2]!);
    const settled = await Promise.allSettled(guests.map((guest) => accept(fixture, groupId, guest, guest)));
    await removeFailure(fixture);
    expect(settled).toEqual([
      expect.objectContaining({ status: 'fulfilled' }),
      { status: 'rejected', reason: errorWithReason('DATABASE_UNAVAILABLE') },
      { status: 'rejected', reason: errorWithReason('DATABASE_UNAVAILABLE') },
    ]);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 2, revision: 5 });
  });

  it('rejects with OVERLOADED when 1,000 responses wait', async () => {
    const { groupId, guests } = await openGroup(fixture, 1);
    const [guest] = guests as [UserActor];
    let endWriter: () => void = () => undefined;
    const writer = fixture.deps.writeQueue.run(groupId, () => new Promise<void>((resolve) => (endWriter = resolve)));
    const waiting = Array.from({ length: 1_000 }, () => accept(fixture, groupId, guest, guest));
    await expect(accept(fixture, groupId, guest, guest)).rejects.toEqual(errorWithReason('OVERLOADED'));
    endWriter();
    await writer;
    const results = await Promise.all(waiting);
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
  });
});
