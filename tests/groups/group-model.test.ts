import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UserActor } from '../../src/accounts/index.js';
import { DomainError } from '../../src/errors/index.js';
import {
  cancelGroup, changeMemberRole, GROUP_ROLES, type GroupRole, inviteToGroup, leaveGroup, recordCompatibilityScore, removeMember, RESPONSE_STATUSES,
  type ResponseStatus, updateGroup, updateMemberStatus,
} from '../../src/groups/index.js';
import { expectConsistent } from '../support/consistent-group.js';
import { groupOf, type GroupsWorld, openGroupsWorld, people, program } from '../support/groups.js';

const SEATS = 6;
const MINUTE_MS = 60_000;

/** One thing that may happen to a group. `seat` is one of the people, `minutes` is from now. */
type Step =
  | { readonly kind: 'answer'; readonly seat: number; readonly status: ResponseStatus }
  | { readonly kind: 'invite'; readonly seats: readonly number[] }
  | { readonly kind: 'leave'; readonly seat: number }
  | { readonly kind: 'remove'; readonly by: number; readonly seat: number }
  | { readonly kind: 'role'; readonly by: number; readonly seat: number; readonly role: GroupRole }
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'rule'; readonly quorum?: number | null; readonly minutes?: number | null }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'score' }
  | { readonly kind: 'cancel' };

const seat = fc.nat({ max: SEATS - 1 });
const answer = fc.record({ kind: fc.constant('answer' as const), seat, status: fc.constantFrom(...RESPONSE_STATUSES) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: answer },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('invite' as const), seats: fc.array(seat, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), seat }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), by: seat, seat }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('role' as const), by: seat, seat, role: fc.constantFrom(...GROUP_ROLES) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), name: fc.constantFrom('Choir', 'Band') }) },
  {
    weight: 4,
    arbitrary: fc.record(
      { kind: fc.constant('rule' as const), quorum: fc.option(fc.integer({ min: 1, max: SEATS + 1 })), minutes: fc.option(fc.integer({ min: 1, max: 3 })) },
      { requiredKeys: ['kind'] },
    ),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'score' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
);

let world: GroupsWorld;
beforeAll(async () => {
  world = await openGroupsWorld();
});
afterAll(() => world.close());

describe('a group', () => {
  it('agrees with itself after whatever happens to it, one thing after another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const group = await seatedGroup();
        for (const next of steps) {
          await take(group, next);
          await expectConsistent(world, group.groupId);
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it('agrees with itself after everything happens to it at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step.filter(({ kind }) => kind !== 'wait'), { minLength: 8, maxLength: 20 }), async (steps) => {
        const group = await seatedGroup();
        await Promise.all(steps.map((next) => take(group, next)));
        await expectConsistent(world, group.groupId);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

interface SeatedGroup {
  readonly groupId: string;
  readonly owner: UserActor;
  /** The owner has the first seat; the second and third are taken too. */
  readonly seats: readonly UserActor[];
}

async function seatedGroup(): Promise<SeatedGroup> {
  const seats = await people(world, SEATS);
  return { groupId: await groupOf(world, seats[0], seats.slice(1, 3)), owner: seats[0], seats };
}

/** What the rules refuse is fine: it must then have changed nothing, which the next look finds out. */
async function take(group: SeatedGroup, next: Step): Promise<void> {
  try {
    await attempt(group, next);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
  }
}

async function attempt({ groupId, owner, seats }: SeatedGroup, next: Step): Promise<unknown> {
  const sitter = (index: number): UserActor => seats[index] ?? owner;
  switch (next.kind) {
    case 'answer':
      return updateMemberStatus(world.deps, sitter(next.seat), { groupId, userId: sitter(next.seat).userId, status: next.status });
    case 'invite':
      return inviteToGroup(world.deps, owner, { groupId, invitees: next.seats.map((index) => ({ userId: sitter(index).userId })) });
    case 'leave':
      return leaveGroup(world.deps, sitter(next.seat), { groupId });
    case 'remove':
      return removeMember(world.deps, sitter(next.by), { groupId, userId: sitter(next.seat).userId });
    case 'role':
      return changeMemberRole(world.deps, sitter(next.by), { groupId, userId: sitter(next.seat).userId, role: next.role });
    case 'rename':
      return updateGroup(world.deps, owner, { groupId, name: next.name });
    case 'rule': {
      const { minutes } = next;
      const respondBy = typeof minutes === 'number' ? world.clock.in(minutes * MINUTE_MS) : minutes;
      return updateGroup(world.deps, owner, { groupId, quorum: next.quorum, respondBy });
    }
    case 'wait':
      world.clock.advance(next.minutes * MINUTE_MS);
      return null;
    case 'score':
      return recordCompatibilityScore(world.deps, program(['scores:write']), { groupId, value: 50, source: 'x' });
    case 'cancel':
      return cancelGroup(world.deps, owner, { groupId });
  }
}
