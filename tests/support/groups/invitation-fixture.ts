import { deriveLinkSecret, emailKey, verifyEmail, type UserActor } from '../../../src/accounts/index.js';
import { DAY_MS } from '../../../src/async/durations.js';
import {
  inviteToGroup,
  withInvitedMemberships,
  type GroupFields,
  type InvitationView,
} from '../../../src/groups/index.js';
import { runDueTasks } from './due-tasks.js';
import { createGroupWithMembers, createUser, type GroupsFixture } from './groups-fixture.js';

/** Lifetime of an invitation. */
export const INVITATION_TTL_MS = 14 * DAY_MS;

/** Sets an account's email address, verified by default. */
export async function assignEmail(
  fixture: GroupsFixture,
  { userId }: UserActor,
  email: string,
  verified = true,
): Promise<void> {
  await fixture.sql('update account set email = $2, email_key = $3, email_verified_at = $4 where id = $1', [
    userId,
    email,
    emailKey(email),
    verified ? fixture.clock.now() : null,
  ]);
}

/** Verifies an account's address, as if its link had just been mailed. */
export async function verifyUserEmail(fixture: GroupsFixture, { userId: id }: UserActor): Promise<void> {
  const { deps, clock, sql } = fixture;
  const [asked] = await sql<{ issue: number }>(
    `insert into email_verification (user_id, email, email_key, issue, expires_at)
     select id, email, email_key, nextval('email_verification_issue'), $2 from account where id = $1
     on conflict (user_id) do update set issue = excluded.issue, expires_at = excluded.expires_at,
       used_at = null returning issue`,
    [id, clock.in(DAY_MS)],
  );
  const secret = deriveLinkSecret(deps.serverSecret, 'verify-email', { id, version: asked?.issue ?? 1 });
  await verifyEmail(
    { ...deps, withInvitedMemberships: (address, work) => withInvitedMemberships(deps, address, work) },
    secret,
  );
}

/** Creates a user with a verified address. */
export async function createUserWithEmail(fixture: GroupsFixture, email?: string): Promise<UserActor> {
  const actor = await createUser(fixture);
  await assignEmail(fixture, actor, email ?? uniqueEmail());
  return actor;
}

/** Returns an address that no other test uses. */
export function uniqueEmail(): string {
  return `${crypto.randomUUID()}@example.org`;
}

export interface InvitingGroup {
  readonly owner: UserActor;
  readonly groupId: string;
  /** Invites addresses in this order and returns their invitations. */
  invite(...emails: readonly string[]): Promise<InvitationView[]>;
}

/** Creates a group whose owner may invite by email. */
export async function createInvitingGroup(
  fixture: GroupsFixture,
  members: readonly UserActor[] = [],
  fields: GroupFields = {},
): Promise<InvitingGroup> {
  const owner = await createUserWithEmail(fixture);
  const groupId = await createGroupWithMembers(fixture, owner, members, fields);
  return {
    owner,
    groupId,
    invite: (...emails) => inviteAddresses(fixture, owner, groupId, emails),
  };
}

export async function inviteAddresses(
  fixture: GroupsFixture,
  owner: UserActor,
  groupId: string,
  emails: readonly string[],
): Promise<InvitationView[]> {
  const { results } = await inviteToGroup(fixture.deps, owner, {
    groupId,
    invitees: emails.map((email) => ({ email })),
  });
  return results.map(({ invitation }) => {
    if (invitation === null) throw new Error('no invitation came of an address');
    return invitation;
  });
}

/** Sends the pending mails and returns the secret that was mailed to an address last. */
export async function readMailedSecret(fixture: GroupsFixture, address: string): Promise<string> {
  await runDueTasks(fixture);
  return fixture.mailer.secretTo(address);
}

/** Reads the stored invitation counts, revision and state of a group. */
export async function readInvitationCounts(
  fixture: GroupsFixture,
  groupId: string,
): Promise<{ open: number; lapsed: number; revision: number; state: string }> {
  const [row] = await fixture.sql<{ open: number; lapsed: number; revision: number; state: string }>(
    'select open_invitations as open, lapsed_invitations as lapsed, revision, state from groups where id = $1',
    [groupId],
  );
  if (row === undefined) throw new Error('there is no such group');
  return row;
}
