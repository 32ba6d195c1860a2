import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';
import type { ResponseCounts } from '../model/response-counts.js';
import type { GroupTransaction } from '../transaction/with-locked-group.js';
import { closeInvitation } from './close-invitation.js';
import { Invitation, UNANSWERED } from './invitation.entity.js';

/** Users and addresses that one change of a group affects. */
interface AffectedPeople {
  /** Users who are members, or become members by the change. */
  readonly userIds: readonly string[];
  /** Keys of addresses to invite. */
  readonly emailKeys?: readonly string[];
}

interface VerifiedAddressRow {
  readonly userId: string;
  readonly emailKey: string;
  readonly isMember: boolean;
}

/** The subquery is a value, since the planner may evaluate `exists` by reading all members of a large group. */
const VERIFIED_ADDRESSES = statement<VerifiedAddressRow>(
  'verified_addresses',
  `
  select a.id as "userId", a.email_key as "emailKey",
    coalesce((select true from member m where m.group_id = $1 and m.user_id = a.id), false) as "isMember"
  from account a
  where a.email_verified_at is not null and (a.id = any($2::uuid[]) or a.email_key = any($3::text[]))`,
);

/**
 * Verified addresses of the users that a change of a group affects, with the group's unanswered invitations to them.
 * Reason: a user who is both a member and invited by email would count twice.
 *
 * Requires the group's row lock, at least key share locks on the accounts of `userIds`, and `lockAddresses` on
 * `emailKeys`.
 */
export class PersonalInvitations {
  readonly #addressOf: ReadonlyMap<string, string>;
  readonly #unanswered: Map<string, Invitation>;
  readonly #memberAddresses: Set<string>;

  private constructor(addresses: readonly VerifiedAddressRow[], unanswered: Map<string, Invitation>) {
    this.#addressOf = new Map(addresses.map((row) => [row.userId, row.emailKey]));
    this.#unanswered = unanswered;
    this.#memberAddresses = new Set(addresses.flatMap((row) => (row.isMember ? [row.emailKey] : [])));
  }

  /** Reads nothing when there is no address to invite and the group has no unanswered invitation. */
  static async load(tx: Pick<GroupTransaction, 'em' | 'group'>, people: AffectedPeople): Promise<PersonalInvitations> {
    const {
      em,
      group: { id: groupId, counts },
    } = tx;
    const { userIds, emailKeys = [] } = people;
    const hasInvitations = counts.openInvitations + counts.lapsedInvitations > 0;
    if (emailKeys.length === 0 && (!hasInvitations || userIds.length === 0))
      return new PersonalInvitations([], new Map());
    const addresses = await findVerifiedAddresses(em, groupId, { userIds, emailKeys });
    const keys = new Set([...emailKeys, ...addresses.map((row) => row.emailKey)]);
    return new PersonalInvitations(addresses, await findUnanswered(em, groupId, hasInvitations ? keys : new Set()));
  }

  /** Whether the address is the verified address of a member of the group. */
  isMemberAddress(emailKey: string): boolean {
    return this.#memberAddresses.has(emailKey);
  }

  unansweredTo(emailKey: string): Invitation | undefined {
    return this.#unanswered.get(emailKey);
  }

  /** Returns the unanswered invitation to the user's verified address. */
  unansweredToUser(userId: string): Invitation | undefined {
    return this.#unanswered.get(this.#addressOf.get(userId) ?? '');
  }

  /** Adds an invitation that the same change creates. */
  add(invitation: Invitation): void {
    this.#unanswered.set(invitation.emailKey, invitation);
  }

  /**
   * Marks the unanswered invitation to a member's verified address as claimed, if there is one. Call within
   * `GroupLedger.record`.
   */
  consume(userId: string, counts: ResponseCounts): void {
    const emailKey = this.#addressOf.get(userId);
    if (emailKey === undefined) return;
    this.#memberAddresses.add(emailKey);
    const invitation = this.#unanswered.get(emailKey);
    if (invitation === undefined) return;
    // A claim may have closed it in the same change.
    if (UNANSWERED.some((status) => status === invitation.status)) closeInvitation(counts, invitation, 'CLAIMED');
    this.#unanswered.delete(emailKey);
  }
}

async function findVerifiedAddresses(
  em: EntityManager,
  groupId: string,
  people: Required<AffectedPeople>,
): Promise<VerifiedAddressRow[]> {
  return transactionOf(em).query(VERIFIED_ADDRESSES, [groupId, people.userIds, people.emailKeys]);
}

async function findUnanswered(
  em: EntityManager,
  groupId: string,
  keys: ReadonlySet<string>,
): Promise<Map<string, Invitation>> {
  if (keys.size === 0) return new Map();
  const found = await em.find(Invitation, { groupId, emailKey: { $in: [...keys] }, status: { $in: [...UNANSWERED] } });
  return new Map(found.map((invitation) => [invitation.emailKey, invitation]));
}
