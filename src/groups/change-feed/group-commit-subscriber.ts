import type { EntityManager, EntityName, EventArgs, EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import { GroupChange } from '../model/group-change.entity.js';
import { Group } from '../model/group.entity.js';

/** A group's latest revision; null for a group that is gone. */
export type PublishGroupRevision = (groupId: string, revision: number | null) => void;

/**
 * Announces the groups that a transaction has recorded revisions of, once it is committed. No writer has to think of
 * it, whichever use case or job it is: only rows that pass by the unit of work are not seen here.
 */
export class GroupCommitSubscriber implements EventSubscriber<GroupChange | Group> {
  readonly #announce: PublishGroupRevision;
  /** By the unit of work that has them under way; what is rolled back is forgotten with it. */
  readonly #recorded = new WeakMap<EntityManager, Map<string, number | null>>();

  constructor(announce: PublishGroupRevision) {
    this.#announce = announce;
  }

  getSubscribedEntities(): EntityName<GroupChange | Group>[] {
    return [GroupChange, Group];
  }

  afterCreate({ entity, em }: EventArgs<GroupChange | Group>): void {
    if (entity instanceof GroupChange) this.#note(em, entity.groupId, entity.revision);
  }

  afterDelete({ entity, em }: EventArgs<GroupChange | Group>): void {
    if (entity instanceof Group) this.#note(em, entity.id, null);
  }

  afterTransactionCommit({ em }: TransactionEventArgs): void {
    for (const [groupId, revision] of this.#recorded.get(em) ?? []) this.#announce(groupId, revision);
    this.#recorded.delete(em);
  }

  #note(em: EntityManager, groupId: string, revision: number | null): void {
    const recorded = this.#recorded.get(em) ?? new Map<string, number | null>();
    this.#recorded.set(em, recorded);
    const earlier = recorded.get(groupId);
    // Rows are inserted in no particular order, and after its end a group has no more.
    if (earlier === undefined || (earlier !== null && (revision === null || revision > earlier)))
      recorded.set(groupId, revision);
  }
}
