import type { Reason } from '../../../src/errors/index.js';
import type { ChangeCause, GroupRole, GroupState, ResponseStatus } from '../../../src/groups/index.js';
import { ADMIN_SEAT, OPEN_DAYS, SEATS, UNVERIFIED_SEAT, type Invitee, type Right, type Step } from './steps.js';

export interface ModelMember {
  role: GroupRole;
  status: ResponseStatus;
  revision: number;
  /** In days since the run began, then by seat: the order of the list. */
  readonly since: number;
}

export interface ModelInvitation {
  status: 'OPEN' | 'LAPSED' | 'CLAIMED' | 'DECLINED' | 'REVOKED';
  issue: number;
  expiresOn: number;
}

export interface ModelCounts {
  pending: number;
  accepted: number;
  tentative: number;
  declined: number;
  openInvitations: number;
  lapsedInvitations: number;
}

export interface ModelChange {
  readonly cause: ChangeCause;
  readonly actor: number | 'PROGRAM' | null;
  readonly subject: number | null;
  readonly status: ResponseStatus | null;
  readonly before: GroupState | null;
  readonly after: GroupState;
  readonly counts: ModelCounts;
  readonly day: number;
}

type Entry = Pick<ModelChange, 'cause' | 'actor'> & Partial<Pick<ModelChange, 'subject' | 'status'>>;

/** A refusal by its reason; null for whatever is done, or need not be. */
export type Outcome = Reason | null;

/**
 * What docs/groups.md says, as plainly as it can be written down: one group in memory, whose counts are counted anew
 * each time. It shares nothing with the code that it judges.
 */
export class ModelGroup {
  day = 0;
  name = 'Supper club';
  quorum: number | null = null;
  respondOn: number | null = null;
  frozen: number | null = null;
  cancelled = false;
  /** With its last member's account. */
  gone = false;
  readonly members = new Map<number, ModelMember>();
  /** The latest of each address. */
  readonly invitations = new Map<number, ModelInvitation>();
  readonly history: ModelChange[] = [];
  readonly deleted = new Set<number>();
  /** The seats that have proven their address. */
  readonly verified = new Set(
    Array.from({ length: SEATS }, (_, seat) => seat).filter((seat) => seat !== UNVERIFIED_SEAT),
  );
  /** The revision at which members or answers last changed, and the one at which the score was written. */
  answeredAt = 1;
  scoredAt: number | null = null;

  constructor() {
    this.#record({ cause: 'CREATED', actor: 0, subject: 0, status: 'ACCEPTED' }, () =>
      this.#join(0, 'OWNER', 'ACCEPTED'),
    );
  }

  counts(): ModelCounts {
    const having = (status: ResponseStatus): number =>
      [...this.members.values()].filter((member) => member.status === status).length;
    const standing = (status: ModelInvitation['status']): number =>
      [...this.invitations.values()].filter((one) => one.status === status).length;
    return {
      pending: having('PENDING'),
      accepted: having('ACCEPTED'),
      tentative: having('TENTATIVE'),
      declined: having('DECLINED'),
      openInvitations: standing('OPEN'),
      lapsedInvitations: standing('LAPSED'),
    };
  }

  required(): number {
    const { openInvitations, lapsedInvitations } = this.counts();
    return this.quorum ?? this.frozen ?? Math.max(2, this.members.size + openInvitations + lapsedInvitations);
  }

  /** As a reader sees it now, recorded or not. */
  state(): GroupState {
    return this.#stateOn(this.day);
  }

  isInside(seat: number): boolean {
    return !this.gone && !this.deleted.has(seat) && (this.members.has(seat) || seat === ADMIN_SEAT);
  }

  isStale(): boolean | null {
    return this.scoredAt === null ? null : this.answeredAt > this.scoredAt;
  }

  take(step: Step): Outcome {
    switch (step.kind) {
      case 'answer':
        return this.#answer(step);
      case 'invite':
        return this.#invite(step.by, step.invitees);
      case 'claim':
        return this.#claim(step);
      case 'prove':
        return this.#prove(step.by);
      case 'revoke':
        return this.#revoke(step.by, step.address);
      case 'rule':
        return this.#declare(step.by, step);
      case 'rename':
        return this.#declare(step.by, step);
      case 'role':
        return this.#changeRole(step);
      case 'remove':
        return this.#remove(step.by, step.seat);
      case 'leave':
        return this.#leave(step.by);
      case 'cancel':
        return this.#cancel(step.by);
      case 'deleteAccount':
        return this.#deleteAccount(step.by);
      case 'score':
        return this.#score();
      case 'wait':
        return this.#wait(step.days, step.punctual);
    }
  }

  #answer({ by, seat, status }: Extract<Step, { kind: 'answer' }>): Outcome {
    if (this.gone || (by !== 'PROGRAM' && !this.isInside(by))) return 'GROUP_NOT_FOUND';
    const member = this.members.get(seat);
    if (member === undefined) return 'MEMBER_NOT_FOUND';
    if (by !== 'PROGRAM' && by !== seat && by !== ADMIN_SEAT) return 'NOT_YOUR_MEMBERSHIP';
    if (member.status === status) return null;
    if (this.#isClosed() && status !== 'DECLINED') return 'RESPONSES_CLOSED';
    this.#record({ cause: 'RESPONSE', actor: by, subject: seat, status }, () => {
      member.status = status;
      member.revision += 1;
      this.#consume(seat);
    });
    return null;
  }

  #invite(by: number, invitees: readonly Invitee[]): Outcome {
    const mayNot = this.#mayNotManage(by);
    if (mayNot !== null) return mayNot;
    const hasAddress = invitees.some((invitee) => 'address' in invitee);
    if (hasAddress && !this.verified.has(by)) return 'EMAIL_NOT_VERIFIED';
    const newcomers = invitees.flatMap(seatOf).filter((seat) => !this.deleted.has(seat) && !this.members.has(seat));
    if (
      newcomers.length > 0 ||
      invitees.some((invitee) => 'address' in invitee && !this.#isMemberAddress(invitee.address))
    ) {
      if (this.cancelled) return 'GROUP_CANCELLED';
      if (this.#isPast()) return 'RESPONSES_CLOSED';
    }
    const invited = new Set<number>();
    for (const invitee of invitees) {
      if (!('address' in invitee)) this.#inviteSeat(by, seatOf(invitee)[0] ?? 0);
      else if (!invited.has(invitee.address)) this.#inviteAddress(by, invitee.address);
      if ('address' in invitee) invited.add(invitee.address);
    }
    return null;
  }

  #inviteSeat(by: number, seat: number): void {
    if (this.deleted.has(seat) || this.members.has(seat)) return;
    this.#record({ cause: 'INVITED', actor: by, subject: seat, status: 'PENDING' }, () => {
      this.#join(seat, 'MEMBER', 'PENDING');
      this.#consume(seat);
    });
  }

  /** Whether the user who verified the address is a member. */
  #isMemberAddress(address: number): boolean {
    return this.verified.has(address) && this.members.has(address);
  }

  #standing(address: number): ModelInvitation | undefined {
    const invitation = this.invitations.get(address);
    return invitation?.status === 'OPEN' || invitation?.status === 'LAPSED' ? invitation : undefined;
  }

  #consume(seat: number): void {
    const invitation = this.verified.has(seat) ? this.#standing(seat) : undefined;
    if (invitation !== undefined) invitation.status = 'CLAIMED';
  }

  #prove(by: number): Outcome {
    if (this.deleted.has(by)) return 'SECRET_INVALID';
    this.verified.add(by);
    const member = this.gone ? undefined : this.members.get(by);
    if (member !== undefined && this.#standing(by) !== undefined) {
      this.#record({ cause: 'JOINED', actor: by, subject: by, status: member.status }, () => {
        this.#consume(by);
      });
    }
    return null;
  }

  #inviteAddress(by: number, address: number): void {
    if (this.#isMemberAddress(address)) return;
    const before = this.invitations.get(address);
    const expiresOn = this.day + OPEN_DAYS;
    if (before?.status === 'OPEN' && before.expiresOn > this.day) {
      Object.assign(before, { issue: before.issue + 1, expiresOn });
      return;
    }
    if (before?.status === 'OPEN') this.#lapse(before);
    const issue = before?.status === 'LAPSED' ? before.issue + 1 : 1;
    this.#record({ cause: 'INVITED', actor: by }, () =>
      this.invitations.set(address, { status: 'OPEN', issue, expiresOn }),
    );
  }

  #claim({ by, address, right, status }: Extract<Step, { kind: 'claim' }>): Outcome {
    const invitation = this.gone ? undefined : this.invitations.get(address);
    if (invitation === undefined) return 'INVITATION_NOT_FOUND';
    if (this.deleted.has(by)) return 'TOKEN_REVOKED';
    if (invitation.status !== 'OPEN' || invitation.expiresOn <= this.day || !this.#isRight(right, by, address))
      return 'INVITATION_NOT_FOUND';
    const member = this.members.get(by);
    if (member !== undefined) {
      this.#record({ cause: 'JOINED', actor: by, subject: by, status: member.status }, () => {
        invitation.status = 'CLAIMED';
      });
      this.#acceptProof(right, by, address);
      return null;
    }
    const declines = status === 'DECLINED';
    if (this.#isPast() && !declines) return 'RESPONSES_CLOSED';
    this.#record({ cause: declines ? 'INVITATION_DECLINED' : 'JOINED', actor: by, subject: by, status }, () => {
      invitation.status = declines ? 'DECLINED' : 'CLAIMED';
      this.#join(by, 'MEMBER', status);
      this.#consume(by);
    });
    this.#acceptProof(right, by, address);
    return null;
  }

  /** The secret that was mailed to one's own address proves it. */
  #acceptProof(right: Right, by: number, address: number): void {
    if (right === 'LINK' && by === address) this.verified.add(by);
  }

  #isRight(right: Right, by: number, address: number): boolean {
    return right === 'INBOX' ? by === address && this.verified.has(by) : right === 'LINK';
  }

  #revoke(by: number, address: number): Outcome {
    const invitation = this.invitations.get(address);
    if (invitation === undefined || !this.isInside(by)) return 'INVITATION_NOT_FOUND';
    const mayNot = this.#mayNotManage(by);
    if (mayNot !== null) return mayNot;
    if (invitation.status === 'CLAIMED' || invitation.status === 'DECLINED') return 'INVITATION_NOT_FOUND';
    if (invitation.status === 'REVOKED') return null;
    this.#record({ cause: 'INVITATION_REVOKED', actor: by }, () => {
      invitation.status = 'REVOKED';
    });
    return null;
  }

  #declare(
    by: number,
    { quorum = this.quorum, days, name = this.name }: { quorum?: number | null; days?: number | null; name?: string },
  ): Outcome {
    const mayNot = this.#mayNotManage(by);
    if (mayNot !== null) return mayNot;
    const respondOn = days === undefined ? this.respondOn : days === null ? null : this.day + days;
    const sameRule = quorum === this.quorum && respondOn === this.respondOn;
    if (sameRule && name === this.name) return null;
    if (this.cancelled) return 'GROUP_CANCELLED';
    this.#record({ cause: sameRule ? 'RENAMED' : 'RULE_CHANGED', actor: by }, () => {
      Object.assign(this, { quorum, respondOn, name });
      if (sameRule) return;
      this.frozen = null;
      if (this.#isPast()) this.frozen = this.required();
    });
    return null;
  }

  #changeRole({ by, seat, role }: Extract<Step, { kind: 'role' }>): Outcome {
    const member = this.members.get(seat);
    const mayNot = this.#mayNotManageMember(by, seat);
    if (mayNot !== null || member === undefined) return mayNot;
    if (member.role === role) return null;
    if (this.cancelled) return 'GROUP_CANCELLED';
    if (role === 'MEMBER' && this.#isLastOwner(seat)) return 'LAST_OWNER';
    this.#record({ cause: 'ROLE_CHANGED', actor: by, subject: seat, status: member.status }, () => {
      member.role = role;
      member.revision += 1;
    });
    return null;
  }

  #remove(by: number, seat: number): Outcome {
    const mayNot = this.#mayNotManageMember(by, seat);
    return mayNot ?? this.#takeOut(by, seat, 'REMOVED');
  }

  #leave(by: number): Outcome {
    if (!this.isInside(by)) return 'GROUP_NOT_FOUND';
    return this.members.has(by) ? this.#takeOut(by, by, 'LEFT') : 'MEMBER_NOT_FOUND';
  }

  #takeOut(by: number, seat: number, cause: 'REMOVED' | 'LEFT'): Outcome {
    if (this.#isLastOwner(seat)) return 'LAST_OWNER';
    this.#record({ cause, actor: by, subject: seat }, () => this.members.delete(seat));
    return null;
  }

  #cancel(by: number): Outcome {
    const mayNot = this.#mayNotManage(by);
    if (mayNot !== null || this.cancelled) return mayNot;
    this.#record({ cause: 'CANCELLED', actor: by }, () => {
      this.cancelled = true;
      for (const invitation of this.invitations.values())
        if (invitation.status === 'OPEN') invitation.status = 'REVOKED';
    });
    return null;
  }

  #deleteAccount(by: number): Outcome {
    if (this.deleted.has(by)) return 'TOKEN_REVOKED';
    const others = [...this.members]
      .filter(([seat]) => seat !== by)
      .sort(([one, a], [other, b]) => a.since - b.since || one - other);
    const member = this.gone ? undefined : this.members.get(by);
    if (member !== undefined && others.length > 0 && this.#isLastOwner(by) && !this.cancelled)
      return 'SOLE_OWNER_OF_GROUPS';
    this.deleted.add(by);
    if (member !== undefined && others.length === 0) this.gone = true;
    if (!this.gone) this.#forget(by, member, others[0]);
    return null;
  }

  #forget(by: number, member: ModelMember | undefined, heir: [number, ModelMember] | undefined): void {
    if (heir !== undefined && this.#isLastOwner(by)) {
      this.#record({ cause: 'ROLE_CHANGED', actor: null, subject: heir[0], status: heir[1].status }, () => {
        Object.assign(heir[1], { role: 'OWNER', revision: heir[1].revision + 1 });
      });
    }
    if (member !== undefined) this.#record({ cause: 'ACCOUNT_DELETED', actor: null }, () => this.members.delete(by));
    const invitation = this.verified.has(by) ? this.invitations.get(by) : undefined;
    if (invitation?.status === 'OPEN' || invitation?.status === 'LAPSED') {
      this.#record({ cause: 'INVITATION_REVOKED', actor: null }, () => this.invitations.delete(by));
    }
    if (this.verified.has(by)) this.invitations.delete(by);
  }

  #score(): Outcome {
    if (this.gone) return 'GROUP_NOT_FOUND';
    if (this.cancelled) return 'GROUP_CANCELLED';
    this.scoredAt = this.answeredAt;
    return null;
  }

  #wait(days: number, punctual: boolean): Outcome {
    this.day += days;
    if (punctual && !this.gone) this.#recordWhatIsDue();
    return null;
  }

  #recordWhatIsDue(): void {
    const due = [...this.invitations.values()].filter(
      ({ status, expiresOn }) => status === 'OPEN' && expiresOn <= this.day,
    );
    this.#recordDeadline();
    for (const invitation of due) this.#lapse(invitation);
  }

  #lapse(invitation: ModelInvitation): void {
    this.#record({ cause: 'INVITATION_EXPIRED', actor: null }, () => {
      invitation.status = 'LAPSED';
    });
  }

  #join(seat: number, role: GroupRole, status: ResponseStatus): void {
    this.members.set(seat, { role, status, revision: 1, since: this.day });
  }

  #mayNotManage(by: number): Outcome {
    if (!this.isInside(by)) return 'GROUP_NOT_FOUND';
    return by === ADMIN_SEAT || this.members.get(by)?.role === 'OWNER' ? null : 'OWNER_REQUIRED';
  }

  #mayNotManageMember(by: number, seat: number): Outcome {
    return this.isInside(by) && !this.members.has(seat) ? 'MEMBER_NOT_FOUND' : this.#mayNotManage(by);
  }

  #isLastOwner(seat: number): boolean {
    const owners = [...this.members].filter(([, { role }]) => role === 'OWNER').map(([owner]) => owner);
    return owners.length === 1 && owners[0] === seat;
  }

  #isPast(): boolean {
    return this.respondOn !== null && this.respondOn <= this.day;
  }

  #isClosed(): boolean {
    return this.cancelled || this.#isPast();
  }

  #stateOn(day: number): GroupState {
    const { pending, accepted, tentative, openInvitations, lapsedInvitations } = this.counts();
    const required = this.required();
    if (this.cancelled) return 'CANCELLED';
    if (accepted >= required) return 'CONFIRMED';
    if (this.respondOn !== null && this.respondOn <= day) return 'EXPIRED';
    const invited = this.members.size + openInvitations + lapsedInvitations;
    return invited >= required && accepted + pending + tentative + openInvitations < required ? 'FAILED' : 'FORMING';
  }

  #record(entry: Entry, apply: () => unknown): void {
    this.#recordDeadline();
    this.#append(entry, this.day, apply);
  }

  #recordDeadline(): void {
    if (this.cancelled || this.frozen !== null || !this.#isPast()) return;
    this.#append({ cause: 'DEADLINE', actor: null }, this.respondOn ?? 0, () => {
      this.frozen = this.required();
    });
  }

  #append({ cause, actor, subject = null, status = null }: Entry, day: number, apply: () => unknown): void {
    const before = this.history.at(-1)?.after ?? null;
    const answers = this.#answers();
    apply();
    if (this.#answers() !== answers) this.answeredAt = this.history.length + 1;
    this.history.push({ cause, actor, subject, status, before, after: this.#stateOn(day), counts: this.counts(), day });
  }

  #answers(): string {
    return JSON.stringify([...this.members].map(([seat, { status }]) => [seat, status]));
  }
}

function seatOf(invitee: Invitee): number[] {
  if ('address' in invitee) return [];
  return ['seat' in invitee ? invitee.seat : invitee.username];
}
