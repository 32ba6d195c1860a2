import type { EntityManager } from '@mikro-orm/postgresql';

/** An address that a user is about to verify. */
export interface AddressToProve {
  readonly userId: string;
  readonly emailKey: string;
}

/** The locked groups that a user is a member of and that have an unanswered invitation to the address to verify. */
export interface InvitedMemberships {
  /**
   * Locks the address. Requires the account's exclusive row lock (`lockAccount`).
   *
   * @returns whether all such groups are locked. False when there are more than one transaction takes, or when new ones
   *   were committed meanwhile: consume these, commit, and run another transaction.
   */
  lockAddress(): Promise<boolean>;
  /** Marks the invitations of the locked groups as used, each as one revision. */
  consume(): Promise<void>;
}

/**
 * Port that the groups implement. Runs `work` in one transaction that holds the row locks of these groups; `work` locks
 * the user's account after them. Waits in the write queues of the groups first, so that no connection is held
 * meanwhile.
 *
 * @throws UnavailableError `OVERLOADED` when too many writers of one of the groups are queued
 */
export type WithInvitedMemberships = <T>(
  address: AddressToProve,
  work: (em: EntityManager, memberships: InvitedMemberships) => Promise<T>,
) => Promise<T>;
