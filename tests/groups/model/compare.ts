import { expect } from '@jest/globals';
import { DomainError } from '../../../src/errors/index.js';
import {
  findCompatibilityScore,
  getGroup,
  listGroupInvitations,
  listHistory,
  listMembers,
  type GroupView,
} from '../../../src/groups/index.js';
import { toDate } from '../../../src/time/stored-time.js';
import type { ModelGroup } from './model-group.js';
import { READER, type RealGroup } from './real-group.js';

const ALL = { first: 1_000 };

/**
 * Holds everything that can be read of a group against the model; of the history what is new since the revision
 * `since`.
 */
export async function expectAlike(model: ModelGroup, real: RealGroup, since: number): Promise<void> {
  expect(await whoSees(real)).toEqual(real.seats.map((_, seat) => model.isInside(seat)));
  if (model.gone) return;
  const group = await getGroup(real.deps, READER, real.groupId);
  await Promise.all([
    expectState(model, real, group),
    expectMembers(model, real, group),
    expectHistory(model, real, group, since),
    expectInvitations(model, real, group),
  ]);
}

function whoSees(real: RealGroup): Promise<boolean[]> {
  return Promise.all(
    real.seats.map((seat) =>
      getGroup(real.deps, seat, real.groupId).then(
        () => true,
        (error: unknown) => {
          expect(error instanceof DomainError && error.reason).toBe('GROUP_NOT_FOUND');
          return false;
        },
      ),
    ),
  );
}

async function expectState(model: ModelGroup, real: RealGroup, group: GroupView): Promise<void> {
  const score = await findCompatibilityScore(real.deps, group);
  expect({
    name: group.name,
    quorum: group.quorum,
    respondOn: group.respondBy && real.dayOf(group.respondBy),
    state: group.state,
    counts: group.counts,
    required: group.requiredCount,
    members: group.memberCount,
    accepted: group.acceptedCount,
    revision: group.revision,
    stale: score?.stale ?? null,
  }).toEqual({
    name: model.name,
    quorum: model.quorum,
    respondOn: model.respondOn,
    state: model.state(),
    counts: model.counts(),
    required: model.required(),
    members: model.members.size,
    accepted: model.counts().accepted,
    revision: model.history.length,
    stale: model.isStale(),
  });
}

async function expectMembers(model: ModelGroup, real: RealGroup, group: GroupView): Promise<void> {
  const { nodes } = await listMembers(real.deps, READER, group, ALL);
  const listed = nodes.map(({ userId, role, status, revision, invitedAt }) => ({
    seat: real.seatOf(userId),
    role,
    status,
    revision,
    since: real.dayOf(toDate(invitedAt)),
  }));
  const inOrder = [...model.members].sort(([one, a], [other, b]) => a.since - b.since || one - other);
  expect(listed).toEqual(inOrder.map(([seat, member]) => ({ seat, ...member })));
}

async function expectHistory(model: ModelGroup, real: RealGroup, group: GroupView, since: number): Promise<void> {
  const after = since === 0 ? null : Buffer.from(String(since)).toString('base64url');
  const { nodes } = await listHistory(real.deps, READER, group, { ...ALL, after, stateChangesOnly: false });
  const received = nodes.map(({ cause, actorId, apiKey, subjectId, status, before, after: state, counts, at }) => ({
    cause,
    actor: apiKey === null ? real.seatOf(actorId) : 'PROGRAM',
    subject: real.seatOf(subjectId),
    status,
    before,
    after: state,
    counts,
    day: real.dayOf(at),
  }));
  const known = (seat: number | 'PROGRAM' | null) =>
    typeof seat === 'number' && model.deleted.has(seat) ? null : seat;
  expect(received).toEqual(
    model.history
      .slice(since)
      .map((change) => ({ ...change, actor: known(change.actor), subject: known(change.subject) })),
  );
}

/** Reads as an owner or the administrator. */
async function expectInvitations(model: ModelGroup, real: RealGroup, group: GroupView): Promise<void> {
  const owner = real.seats[[...model.members].find(([, { role }]) => role === 'OWNER')?.[0] ?? 0] ?? READER;
  const found = await listGroupInvitations(real.deps, owner, group, ALL);
  const listed = found?.nodes.map(({ email, expiresAt }) => [real.addressOf(email), real.dayOf(expiresAt)] as const);
  const standing = [...model.invitations].filter(([, { status }]) => status === 'OPEN' || status === 'LAPSED');
  expect(listed?.toSorted(([one], [other]) => one - other)).toEqual(
    standing.map(([address, { expiresOn }]) => [address, expiresOn]).toSorted(),
  );
}
