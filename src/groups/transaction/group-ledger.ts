import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuthenticatedActor } from '../../accounts/index.js';
import { GroupChange, type ChangeCause } from '../model/group-change.entity.js';
import { computeGroupState, hasUnrecordedDeadline, requiredCount } from '../model/group-state.js';
import type { Group } from '../model/group.entity.js';
import { ResponseCounts, type Counts, type ResponseStatus } from '../model/response-counts.js';

/** Who makes a change; both are null for the clock. */
export type ChangeAuthor = Pick<GroupChange, 'actorId' | 'apiKey'>;

export const SYSTEM_AUTHOR: ChangeAuthor = { actorId: null, apiKey: null };

export function toChangeAuthor(actor: AuthenticatedActor): ChangeAuthor {
  return actor.kind === 'user' ? { actorId: actor.userId, apiKey: null } : { actorId: null, apiKey: actor.name };
}

export interface LedgerEntry {
  readonly cause: ChangeCause;
  /** Whom it concerns; absent when it concerns the group as a whole. */
  readonly subjectId?: string;
  /** The subject's answer afterwards; absent when there is none. */
  readonly status?: ResponseStatus;
}

/**
 * Writes the revisions of one group, whose row the caller holds locked.
 *
 * Whatever changes a group goes through `record`: that is what keeps counts, rule, state, revision and history agreed.
 */
export class GroupLedger {
  readonly #em: EntityManager;
  readonly #group: Group;
  readonly #author: ChangeAuthor;
  readonly #now: Date;

  constructor(em: EntityManager, group: Group, author: ChangeAuthor, now: Date) {
    this.#em = em;
    this.#group = group;
    this.#author = author;
    this.#now = now;
  }

  /**
   * Makes one change, as one revision. A deadline that passed unrecorded becomes a revision of its own before it.
   *
   * @param apply changes the group: its counts, rule or name. Its state follows by itself.
   */
  record(entry: LedgerEntry, apply: (group: Group) => void): void {
    this.recordDeadline();
    this.#append(entry, this.#author, this.#now, apply);
  }

  /** The same for what time has brought about, whoever finds it. */
  recordAsSystem(entry: LedgerEntry, apply: (group: Group) => void): void {
    this.recordDeadline();
    this.#append(entry, SYSTEM_AUTHOR, this.#now, apply);
  }

  /** Records a deadline that has passed, as of when it passed; does nothing when there is none to record. */
  recordDeadline(): void {
    const { respondBy } = this.#group;
    if (respondBy !== null && hasUnrecordedDeadline(this.#group, this.#now)) {
      this.#append({ cause: 'DEADLINE' }, SYSTEM_AUTHOR, respondBy, freezeRequiredCount);
    }
  }

  #append(entry: LedgerEntry, author: ChangeAuthor, at: Date, apply: (group: Group) => void): void {
    const group = this.#group;
    const stateBefore = group.revision === 0 ? null : group.state;
    const countsBefore = copyOf(group.counts);
    apply(group);
    group.revision += 1;
    if (!haveSameMembers(countsBefore, group.counts)) group.answersRevision = group.revision;
    moveState(group, at);
    this.#appendRow(entry, author, at, stateBefore);
  }

  #appendRow(entry: LedgerEntry, author: ChangeAuthor, at: Date, stateBefore: GroupChange['stateBefore']): void {
    const { id: groupId, revision, state: stateAfter } = this.#group;
    const { cause, subjectId = null, status = null } = entry;
    const counts = copyOf(this.#group.counts);
    this.#em.persist(
      this.#em.create(GroupChange, {
        groupId,
        revision,
        cause,
        ...author,
        subjectId,
        status,
        stateBefore,
        stateAfter,
        at,
        counts,
      }),
    );
  }
}

/** From the deadline on, "everyone" is those who were asked by then. */
export function freezeRequiredCount(group: Group): void {
  group.requiredAtDeadline = requiredCount(group, group.counts);
}

function copyOf(counts: Counts): ResponseCounts {
  return Object.assign(new ResponseCounts(), counts);
}

function moveState(group: Group, at: Date): void {
  const state = computeGroupState(group, group.counts, at);
  if (state === group.state) return;
  group.state = state;
  group.stateChangedAt = at;
}

/** A revision concerns one person at most, so that a member who comes, goes or answers otherwise always moves a count. */
function haveSameMembers(before: Counts, after: Counts): boolean {
  return (
    before.pending === after.pending &&
    before.accepted === after.accepted &&
    before.tentative === after.tentative &&
    before.declined === after.declined
  );
}
