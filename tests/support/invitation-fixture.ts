import { deriveLinkSecret, emailKey, verifyEmail, type UserActor } from '../../src/accounts/index.js';
import {
  inviteToGroup,
  withInvitedMemberships,
  type GroupFields,
  type InvitationView,
} from '../../src/groups/index.js';
import { runDueTasks } from './due-tasks.js';
import { createGroupWithMembers, createUser, type GroupsFixture } from './groups-fixture.js';

export const DAY_MS = 86_400_000;
/** How long an invitation is open. */
export const INVITATION_TTL_MS = 14 * DAY_MS;

/** Gives someone an address; their own, unless it says otherwise. */
export async function assignEmail(
  world: GroupsFixture,
  { userId }: UserActor,
  email: string,
  verified = true,
): Promise<void> {
  await world.sql('update account set email = $2, email_key = $3, email_verified_at = $4 where id = $1', [
    userId,
    email,
    emailKey(email),
    verified ? world.clock.now() : null,
  ]);
}

/** Proves the address that someone has, as if its link had just been mailed. */
export async function proveEmail(world: GroupsFixture, { userId: id }: UserActor): Promise<void> {
  const { deps, clock, sql } = world;
  const [asked] = await sql<{ issue: number }>(
    `insert into email_verification (user_id, email, email_key, issue, expires_at)
     select id, email, email_key, nextval('email_verification_issue'), $2 from account where id = $1
     on conflict (user_id) do update set issue = excluded.issue, expires_at = excluded.expires_at, used_at = null returning issue`,
    [id, clock.in(DAY_MS)],
  );
  const secret = deriveLinkSecret(deps.serverSecret, 'verify-email', { id, version: asked?.issue ?? 1 });
  await verifyEmail(
    { ...deps, withInvitedMemberships: (address, work) => withInvitedMemberships(deps, address, work) },
    secret,
  );
}

/** Someone with an address that is theirs. */
export async function createUserWithEmail(world: GroupsFixture, email?: string): Promise<UserActor> {
  const actor = await createUser(world);
  await assignEmail(world, actor, email ?? uniqueEmail());
  return actor;
}

/** An address that no other test has. */
export function uniqueEmail(): string {
  return `${crypto.randomUUID()}@example.org`;
}

export interface InvitingGroup {
  readonly owner: UserActor;
  readonly groupId: string;
  /** Invites addresses, in this order, and gives their invitations. */
  invite(...emails: readonly string[]): Promise<InvitationView[]>;
}

/** A group whose owner may invite by email. */
export async function createInvitingGroup(
  world: GroupsFixture,
  members: readonly UserActor[] = [],
  fields: GroupFields = {},
): Promise<InvitingGroup> {
  const owner = await createUserWithEmail(world);
  const groupId = await createGroupWithMembers(world, owner, members, fields);
  return {
    owner,
    groupId,
    invite: (...emails) => inviteAddresses(world, owner, groupId, emails),
  };
}

export async function inviteAddresses(
  world: GroupsFixture,
  owner: UserActor,
  groupId: string,
  emails: readonly string[],
): Promise<InvitationView[]> {
  const { results } = await inviteToGroup(world.deps, owner, { groupId, invitees: emails.map((email) => ({ email })) });
  return results.map(({ invitation }) => {
    if (invitation === null) throw new Error('no invitation came of an address');
    return invitation;
  });
}

/** The secret that was mailed to an address last, once the mails that are owed are out. */
export async function mailedSecret(world: GroupsFixture, address: string): Promise<string> {
  await runDueTasks(world);
  return world.mailer.secretTo(address);
}

/** What the state functions count of one group, as it is stored. */
export async function storedInvitations(
  world: GroupsFixture,
  groupId: string,
): Promise<{ open: number; lapsed: number; revision: number; state: string }> {
  const [row] = await world.sql<{ open: number; lapsed: number; revision: number; state: string }>(
    'select open_invitations as open, lapsed_invitations as lapsed, revision, state from groups where id = $1',
    [groupId],
  );
  if (row === undefined) throw new Error('there is no such group');
  return row;
}
