/** What the domain needs from outside. Whoever builds the service hands these in; tests hand in their own. */

import type { EntityManager } from '@mikro-orm/postgresql';

export interface Clock {
  now(): Date;
}

export interface Mail {
  /** Same id, same mail: a mailer that is asked twice may deliver twice, but under one Message-ID. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves once the mail is handed over; rejects when it was not taken, and may then be asked again. */
  send(mail: Mail): Promise<void>;
  /** Rejects with the reason when mail cannot be sent at present. */
  check(): Promise<void>;
}

/** An address that a user is about to prove. */
export interface AddressToProve {
  readonly userId: string;
  readonly emailKey: string;
}

/** The locked groups that a user is a member of, and that have an unanswered invitation to the address that the user proves. */
export interface InvitedMemberships {
  /**
   * Locks the address. Requires the account's exclusive row lock (`lockAccount`).
   *
   * @returns whether all such groups are locked. If not, more than one transaction takes were found, or new ones were
   *   committed meanwhile: consume these, commit, and begin again.
   */
  lockAddress(): Promise<boolean>;
  /** Uses up the invitations of the locked groups, each as one revision. */
  consume(): Promise<void>;
}

/**
 * Runs `work` in one transaction that holds the row locks of these groups; `work` locks the user's account after them.
 * Waits in the write queues of the groups first, so that no connection is held meanwhile.
 *
 * @throws UnavailableError `OVERLOADED` when too many writers of one of the groups wait
 */
export type WithInvitedMemberships = <T>(
  address: AddressToProve,
  work: (em: EntityManager, memberships: InvitedMemberships) => Promise<T>,
) => Promise<T>;

export interface PasswordHasher {
  /** @throws UnavailableError `OVERLOADED` when too many hashes are waiting. */
  hash(password: string): Promise<string>;
  /**
   * Takes as long for a null hash (unknown user) as for a real one, so that the time says nothing. A stored hash that
   * the hasher cannot read verifies no password, and takes as long.
   * @throws UnavailableError `OVERLOADED` when too many hashes are waiting.
   */
  verify(hash: string | null, password: string): Promise<boolean>;
  /** True when the hash was made with weaker parameters than those in force, or cannot be read. */
  needsRehash(hash: string): boolean;
}
