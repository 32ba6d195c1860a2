import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuthenticatedActor } from '../../accounts/index.js';
import type { Stored } from '../../database/index.js';
import { GroupChange, type ChangeCause } from '../model/group-change.entity.js';
import { computeGroupState, hasUnrecordedDeadline, requiredCount } from '../model/group-state.js';
import type { Group } from '../model/group.entity.js';
import { ResponseCounts, type Counts, type ResponseStatus } from '../model/response-counts.js';

/** Author of a revision: a user or an API key. Both are null for the system. */
export type ChangeAuthor = Pick<GroupChange, 'actorId' | 'apiKey'>;

export const SYSTEM_AUTHOR: ChangeAuthor = { actorId: null, apiKey: null };

export function toChangeAuthor(actor: AuthenticatedActor): ChangeAuthor {
  return actor.kind === 'user' ? { actorId: actor.userId, apiKey: null } : { actorId: null, apiKey: actor.name };
}

/** What a ledger changes of a group: its entity, or a copy of its stored values. */
export type LedgerGroup = Pick<
  Group,
  | 'id'
  | 'quorum'
  | 'respondBy'
  | 'requiredAtDeadline'
  | 'cancelledAt'
  | 'state'
  | 'stateChangedAt'
  | 'revision'
  | 'answersRevision'
  | 'counts'
>;

/** A recorded revision, before it is stored. */
export type NewGroupChange = Stored<GroupChange>;

export interface LedgerEntry {
  readonly cause: ChangeCause;
  /** The user whose membership changes; absent when the change concerns the whole group. */
  readonly subjectId?: string;
  /** The subject's response after the change; absent when there is none. */
  readonly status?: ResponseStatus;
}

/**
 * Records the revisions of one group.
 *
 * Every change of a group goes through it, so that counts, rule, state, revision and history stay consistent.
 *
 * Requires the group's row lock, or a write that is conditional on the revision that was read.
 */
export class GroupLedger {
  readonly #group: LedgerGroup;
  readonly #author: ChangeAuthor;
  readonly #now: Date;
  readonly #store: (change: NewGroupChange) => void;

  /** @param store receives each recorded revision, in ascending order */
  constructor(group: LedgerGroup, author: ChangeAuthor, now: Date, store: (change: NewGroupChange) => void) {
    this.#group = group;
    this.#author = author;
    this.#now = now;
    this.#store = store;
  }

  /** Creates a ledger whose revisions the unit of work inserts. */
  static inUnitOfWork(em: EntityManager, group: Group, author: ChangeAuthor, now: Date): GroupLedger {
    return new GroupLedger(group, author, now, (change) => {
      em.persist(em.create(GroupChange, change));
    });
  }

  /**
   * Applies one change as one revision. Records an unrecorded deadline as a separate revision before it.
   *
   * @param apply changes counts, rule or name of the group; the state is computed afterwards
   */
  record(entry: LedgerEntry, apply: (group: LedgerGroup) => void): void {
    this.recordDeadline();
    this.#append(entry, this.#author, this.#now, apply);
  }

  /** As `record`, with the system as author: for changes that time causes. */
  recordAsSystem(entry: LedgerEntry, apply: (group: LedgerGroup) => void): void {
    this.recordDeadline();
    this.#append(entry, SYSTEM_AUTHOR, this.#now, apply);
  }

  /** Records a deadline that has passed, with the deadline as its time. Does nothing without an unrecorded deadline. */
  recordDeadline(): void {
    const { respondBy } = this.#group;
    if (respondBy !== null && hasUnrecordedDeadline(this.#group, this.#now)) {
      this.#append({ cause: 'DEADLINE' }, SYSTEM_AUTHOR, respondBy, freezeRequiredCount);
    }
  }

  #append(entry: LedgerEntry, author: ChangeAuthor, at: Date, apply: (group: LedgerGroup) => void): void {
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
    this.#store({
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
    });
  }
}

/** Fixes the number of required acceptances: people invited after the deadline do not raise it. */
export function freezeRequiredCount(group: LedgerGroup): void {
  group.requiredAtDeadline = requiredCount(group, group.counts);
}

function copyOf(counts: Counts): ResponseCounts {
  return Object.assign(new ResponseCounts(), counts);
}

function moveState(group: LedgerGroup, at: Date): void {
  const state = computeGroupState(group, group.counts, at);
  if (state === group.state) return;
  group.state = state;
  group.stateChangedAt = at;
}

/** Comparing counts suffices: one revision concerns at most one member, so counts cannot cancel each other out. */
function haveSameMembers(before: Counts, after: Counts): boolean {
  return (
    before.pending === after.pending &&
    before.accepted === after.accepted &&
    before.tentative === after.tentative &&
    before.declined === after.declined
  );
}
