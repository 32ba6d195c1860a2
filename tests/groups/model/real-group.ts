import { deriveLinkSecret, emailKey, newId, type UserActor } from '../../../src/accounts/index.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { DomainError, type Reason } from '../../../src/errors/index.js';
import {
  cancelGroup,
  changeMemberRole,
  claimInvitation,
  createGroup,
  inviteToGroup,
  leaveGroup,
  recordCompatibilityScore,
  removeMember,
  revokeInvitation,
  updateGroup,
  updateMemberStatus,
  type GroupsDeps,
} from '../../../src/groups/index.js';
import type { DeletionFixture } from '../../support/groups/deletion-fixture.js';
import { runDueTasks } from '../../support/groups/due-tasks.js';
import { serviceActor, type GroupsFixture } from '../../support/groups/groups-fixture.js';
import { verifyUserEmail } from '../../support/groups/invitation-fixture.js';
import { ADMIN_SEAT, SEATS, UNVERIFIED_SEAT, type Invitee, type Step } from './steps.js';

const ADDRESSES = SEATS + 2;
/** What everyone may read. */
export const READER = serviceActor(['groups:read']);
const WRITER = serviceActor(['responses:write', 'scores:write']);

/** A group in a database, and the people around it. */
export class RealGroup {
  readonly fixture: GroupsFixture;
  readonly deps: GroupsDeps;
  readonly seats: readonly UserActor[];
  readonly groupId: string;
  readonly #deletion: DeletionFixture;
  readonly #run: string;
  readonly #start: number;

  private constructor(
    fixture: GroupsFixture,
    deletion: DeletionFixture,
    seats: readonly UserActor[],
    groupId: string,
    run: string,
  ) {
    this.fixture = fixture;
    // The limits on mails have tests of their own.
    this.deps = Object.create(fixture.deps, { invitationMailQuotas: { value: null } }) as GroupsDeps;
    this.#deletion = deletion;
    this.seats = seats;
    this.groupId = groupId;
    this.#run = run;
    this.#start = fixture.clock.now().getTime();
  }

  static async open(fixture: GroupsFixture, deletion: DeletionFixture): Promise<RealGroup> {
    // What earlier runs left undone would fall due in this one.
    await fixture.sql('delete from outbox_task');
    const run = newId();
    const seats = await seatPeople(fixture, run);
    const { group } = await createGroup(fixture.deps, seats[0] as UserActor, { name: 'Supper club' });
    return new RealGroup(fixture, deletion, seats, group.id, run);
  }

  /** In days since the run began. */
  dayOf(moment: Date): number {
    return (moment.getTime() - this.#start) / DAY_MS;
  }

  seatOf(userId: string | null): number | null {
    return userId === null ? null : this.seats.findIndex((seat) => seat.userId === userId);
  }

  addressOf(email: string): number {
    return Array.from({ length: ADDRESSES }, (_, index) => addressOf(this.#run, index)).indexOf(email);
  }

  /** @returns the reason of a refusal; null when there was none */
  async take(step: Step): Promise<Reason | null> {
    try {
      await this.#attempt(step);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return error.reason;
      throw error;
    }
  }

  #attempt(step: Step): Promise<unknown> {
    const { deps, groupId } = this;
    switch (step.kind) {
      case 'answer':
        return updateMemberStatus(deps, step.by === 'PROGRAM' ? WRITER : this.#seat(step.by), {
          groupId,
          userId: this.#seat(step.seat).userId,
          status: step.status,
        });
      case 'invite':
        return inviteToGroup(deps, this.#seat(step.by), {
          groupId,
          invitees: step.invitees.map((invitee) => this.#named(invitee)),
        });
      case 'claim':
        return this.#claim(step);
      case 'prove':
        return verifyUserEmail(this.fixture, this.#seat(step.by));
      case 'revoke':
        return this.#revoke(step);
      case 'rule': {
        const respondBy = typeof step.days === 'number' ? this.fixture.clock.in(step.days * DAY_MS) : step.days;
        return updateGroup(deps, this.#seat(step.by), { groupId, quorum: step.quorum, respondBy });
      }
      case 'rename':
        return updateGroup(deps, this.#seat(step.by), { groupId, name: step.name });
      case 'role':
        return changeMemberRole(deps, this.#seat(step.by), {
          groupId,
          userId: this.#seat(step.seat).userId,
          role: step.role,
        });
      case 'remove':
        return removeMember(deps, this.#seat(step.by), { groupId, userId: this.#seat(step.seat).userId });
      case 'leave':
        return leaveGroup(deps, this.#seat(step.by), { groupId });
      case 'cancel':
        return cancelGroup(deps, this.#seat(step.by), { groupId });
      case 'deleteAccount':
        return this.#deletion.delete(this.#seat(step.by));
      case 'score':
        return recordCompatibilityScore(deps, WRITER, { groupId, value: 50, source: 'model' });
      case 'wait':
        return this.#wait(step.days, step.punctual);
    }
  }

  async #claim({ by, address, right, status }: Extract<Step, { kind: 'claim' }>): Promise<unknown> {
    const { id, issue } = await this.#latest(address);
    if (right === 'INBOX') return claimInvitation(this.deps, this.#seat(by), { invitationId: id, status });
    const secret = deriveLinkSecret(this.deps.serverSecret, 'invitation', {
      id,
      version: right === 'LINK' ? issue : Math.max(0, issue - 1),
    });
    return claimInvitation(this.deps, this.#seat(by), { secret, status });
  }

  async #revoke({ by, address }: Extract<Step, { kind: 'revoke' }>): Promise<unknown> {
    return revokeInvitation(this.deps, this.#seat(by), { invitationId: (await this.#latest(address)).id });
  }

  /** An unknown id when the address was never invited. */
  async #latest(address: number): Promise<{ id: string; issue: number }> {
    const [found] = await this.fixture.sql<{ id: string; issue: number }>(
      'select id, issue from invitation where group_id = $1 and email_key = $2 order by id desc limit 1',
      [this.groupId, emailKey(addressOf(this.#run, address))],
    );
    return found ?? { id: newId(), issue: 1 };
  }

  async #wait(days: number, punctual: boolean): Promise<void> {
    this.fixture.clock.advance(days * DAY_MS);
    if (!punctual) return;
    await this.fixture.sql(`delete from outbox_task where name = 'mail_invitation'`);
    await runDueTasks(this.fixture);
  }

  #named(invitee: Invitee): { userId?: string; username?: string; email?: string } {
    if ('address' in invitee) return { email: addressOf(this.#run, invitee.address) };
    return 'seat' in invitee
      ? { userId: this.#seat(invitee.seat).userId }
      : { username: usernameOf(this.#run, invitee.username).toUpperCase() };
  }

  #seat(seat: number): UserActor {
    const actor = this.seats[seat];
    if (actor === undefined) throw new RangeError(`there is no seat ${seat}`);
    return actor;
  }
}

function usernameOf(run: string, seat: number): string {
  return `s${seat}-${run.slice(-20)}`;
}

function addressOf(run: string, address: number): string {
  return `a${address}.${run}@example.org`;
}

/** All at once, with ids in the order of their seats. */
async function seatPeople(fixture: GroupsFixture, run: string): Promise<UserActor[]> {
  const seats = Array.from({ length: SEATS }, (): UserActor => ({ kind: 'user', userId: newId(), sessionId: newId() }));
  await fixture.sql(
    `insert into account (id, username, username_key, email, email_key, email_verified_at, roles, password_hash,
       created_at)
     select s.id, s.name, s.name, s.email, s.email, case when s.seat <> ${UNVERIFIED_SEAT} then $4::timestamptz end,
       case when s.seat = ${ADMIN_SEAT} then '{USER,ADMIN}'::text[] else '{USER}' end, 'none', $4
     from unnest($1::uuid[], $2::text[], $3::text[], $5::integer[]) as s (id, name, email, seat)`,
    [
      seats.map(({ userId }) => userId),
      seats.map((_, seat) => usernameOf(run, seat)),
      seats.map((_, seat) => addressOf(run, seat)),
      fixture.clock.now(),
      seats.map((_, seat) => seat),
    ],
  );
  return seats;
}
