import type { EntityManager, EntityName, EventArgs, EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import { GroupChange } from '../model/group-change.entity.js';
import { Group } from '../model/group.entity.js';

/** @param revision the group's latest revision; null when the group was deleted */
type PublishGroupRevision = (groupId: string, revision: number | null) => void;

/**
 * Publishes, after each commit, the groups for which the transaction has recorded revisions or which it has deleted.
 * Sees only rows that the unit of work writes; other writers call `ChangeFeed.publish`.
 */
export class GroupCommitSubscriber implements EventSubscriber<GroupChange | Group> {
  readonly #publish: PublishGroupRevision;
  /** Revisions by group, for each unit of work; garbage-collected with it after a rollback. */
  readonly #recorded = new WeakMap<EntityManager, Map<string, number | null>>();

  constructor(publish: PublishGroupRevision) {
    this.#publish = publish;
  }

  getSubscribedEntities(): EntityName<GroupChange | Group>[] {
    return [GroupChange, Group];
  }

  afterCreate({ entity, em }: EventArgs<GroupChange | Group>): void {
    if (entity instanceof GroupChange) this.#record(em, entity.groupId, entity.revision);
  }

  afterDelete({ entity, em }: EventArgs<GroupChange | Group>): void {
    if (entity instanceof Group) this.#record(em, entity.id, null);
  }

  afterTransactionCommit({ em }: TransactionEventArgs): void {
    for (const [groupId, revision] of this.#recorded.get(em) ?? []) this.#publish(groupId, revision);
    this.#recorded.delete(em);
  }

  #record(em: EntityManager, groupId: string, revision: number | null): void {
    const recorded = this.#recorded.get(em) ?? new Map<string, number | null>();
    this.#recorded.set(em, recorded);
    const earlier = recorded.get(groupId);
    // Rows are inserted in no particular order, and no revision follows a deletion.
    if (earlier === undefined || (earlier !== null && (revision === null || revision > earlier)))
      recorded.set(groupId, revision);
  }
}
