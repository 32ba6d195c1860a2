import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { uniqueEmail } from '../../support/groups/invitation-fixture.js';
import { TestClient } from '../../support/http/test-client.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const INVITE = `mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) {
  results { outcome member { status }
    invitation { id email expiresAt invitedBy { username } group { name memberCount } } }
  group { revision responseCounts { openInvitations } } } }`;
const CLAIM = `mutation ($input: ClaimInvitationInput!) { claimInvitation(input: $input) {
  member { status role invitedBy { username } group { id state viewerMembership { status } } } } }`;
const REGISTER = `mutation ($input: RegisterInput!) {
  register(input: $input) { user { id emailVerified } followUps { name status } } }`;
const INBOX = `{ me { emailVerified invitations { totalCount
  nodes { id email invitedBy { username } group { name state members { totalCount } } } } } }`;
const PREVIEW = 'query ($secret: String!) { invitation(secret: $secret) { groupName invitedBy expiresAt } }';

const mailer = new RecordingMailer();
const lines: string[] = [];
let service: TestService;
let anonymous: TestClient;
beforeAll(async () => {
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  service = await startTestService({ mailer, hasher: FAKE_HASHER, log });
  anonymous = new TestClient(service.url);
});
afterAll(() => service.remove());

async function verifiedPerson(email = uniqueEmail()): Promise<TestUser> {
  const person = await registerUser(service);
  await service.database.pool.query(
    'update account set email = $2, email_key = lower($2), email_verified_at = now() where id = $1',
    [person.id, email],
  );
  return person;
}

/** A group, an address invited to it, and the secret that was mailed there. */
async function linked(address = uniqueEmail()) {
  const owner = await verifiedPerson();
  const groupId = await createGroupViaApi(owner, [], { name: 'Choir' });
  const { inviteToGroup } = await owner.data<{ inviteToGroup: { results: { invitation: { id: string } }[] } }>(INVITE, {
    input: { groupId, invitees: [{ email: address }] },
  });
  await waitUntil('the mail is out', () => mailer.sent.some(({ to }) => to === address));
  return {
    owner,
    groupId,
    address,
    invitationId: inviteToGroup.results[0]?.invitation.id ?? '',
    secret: mailer.secretTo(address),
  };
}

async function register(
  input: object,
): Promise<{ person: TestClient; id: string; followUps: { name: string; status: string }[] }> {
  const username = `r-${crypto.randomUUID().slice(0, 13)}`;
  const { register: registered } = await anonymous.data<{
    register: { user: { id: string }; followUps: { name: string; status: string }[] };
  }>(REGISTER, { input: { username, password: PASSWORD, ...input } });
  const { issueToken } = await anonymous.data<{ issueToken: { accessToken: string } }>(
    'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }',
    { input: { username, password: PASSWORD } },
  );
  return { person: anonymous.with(issueToken.accessToken), id: registered.user.id, followUps: registered.followUps };
}

function claimEnds(userId: string, status: 'DONE' | 'SKIPPED'): Promise<void> {
  return waitUntil(`the claim is ${status}`, async () => {
    const { rows } = await service.database.pool.query<{ status: string }>(
      `select status from outbox_task where registered_user_id = $1 and name = 'claim_invitation'`,
      [userId],
    );
    return rows[0]?.status === status;
  });
}

const reasonOf = ({
  errors,
}: {
  readonly errors?: readonly { readonly extensions: Readonly<Record<string, unknown>> }[];
}): unknown => errors?.[0]?.extensions['reason'];

describe('invitations through GraphQL', () => {
  it('are mailed and claimed by their secret', async () => {
    const { owner, groupId, secret } = await linked();
    const preview = await anonymous.data<{ invitation: object }>(PREVIEW, { secret });
    expect(preview.invitation).toEqual({
      groupName: 'Choir',
      invitedBy: owner.username,
      expiresAt: expect.stringMatching(/Z$/),
    });
    const guest = await registerUser(service);
    const { claimInvitation } = await guest.data<{ claimInvitation: object }>(CLAIM, {
      input: { secret, status: 'ACCEPTED' },
    });
    expect(claimInvitation).toEqual({
      member: {
        status: 'ACCEPTED',
        role: 'MEMBER',
        invitedBy: { username: owner.username },
        group: { id: groupId, state: 'CONFIRMED', viewerMembership: { status: 'ACCEPTED' } },
      },
    });
    expect(reasonOf(await guest.graphql(CLAIM, { input: { secret } }))).toBe('INVITATION_NOT_FOUND');
    expect(reasonOf(await anonymous.graphql(PREVIEW, { secret }))).toBe('INVITATION_NOT_FOUND');
  });

  it('show sent invitations to the inviter, and addresses only to owners', async () => {
    const { owner, groupId, address } = await linked();
    const guest = await registerUser(service);
    await owner.data(INVITE, { input: { groupId, invitees: [{ userId: guest.id }] } });
    const LIST = `query ($id: UUID!) {
        group(id: $id) { invitations { totalCount nodes { email invitedBy { username } group { id } } } } }`;
    expect(await owner.data(LIST, { id: groupId })).toEqual({
      group: {
        invitations: {
          totalCount: 1,
          nodes: [{ email: address, invitedBy: { username: owner.username }, group: { id: groupId } }],
        },
      },
    });
    expect(await guest.data(LIST, { id: groupId })).toEqual({ group: { invitations: null } });
    expect(reasonOf(await (await registerUser(service)).graphql(LIST, { id: groupId }))).toBe('GROUP_NOT_FOUND');
  });

  it('are listed in the inbox of a verified address, with a group without members', async () => {
    const address = `Inbox-${uniqueEmail()}`;
    const { owner, invitationId } = await linked(address);
    const guest = await verifiedPerson(address.toLowerCase());
    const asked = await guest.graphql<{ me: { invitations: object } }>(
      INBOX.replace('members { totalCount }', 'memberCount'),
    );
    expect(asked.data?.me.invitations).toEqual({
      totalCount: 1,
      nodes: [
        {
          id: invitationId,
          email: address,
          invitedBy: { username: owner.username },
          group: { name: 'Choir', state: 'FORMING', memberCount: 1 },
        },
      ],
    });
    expect(reasonOf(await guest.graphql(INBOX))).toBe('GROUP_NOT_FOUND');
    const { claimInvitation } = await guest.data<{ claimInvitation: { member: { status: string } } }>(CLAIM, {
      input: { invitationId },
    });
    expect(claimInvitation.member.status).toBe('PENDING');
    expect((await guest.data<{ me: { invitations: { totalCount: number } } }>(INBOX)).me.invitations.totalCount).toBe(
      0,
    );
  });

  it('reject anonymous claims, both or neither of secret and id, and unknown secrets', async () => {
    const { secret, invitationId } = await linked();
    const guest = await registerUser(service);
    expect(reasonOf(await anonymous.graphql(CLAIM, { input: { secret } }))).toBe('TOKEN_MISSING');
    expect(reasonOf(await guest.graphql(CLAIM, { input: {} }))).toBe('INVALID_INPUT');
    expect(reasonOf(await guest.graphql(CLAIM, { input: { secret: null, invitationId: null } }))).toBe('INVALID_INPUT');
    expect(reasonOf(await guest.graphql(CLAIM, { input: { secret, invitationId } }))).toBe('INVALID_INPUT');
    for (const wrong of ['', '\u0000', 'x'.repeat(5_000), secret.slice(0, -1)]) {
      expect(reasonOf(await guest.graphql(CLAIM, { input: { secret: wrong } }))).toBe('INVITATION_NOT_FOUND');
      expect(reasonOf(await anonymous.graphql(PREVIEW, { secret: wrong }))).toBe('INVITATION_NOT_FOUND');
    }
    expect(
      (await guest.graphql(CLAIM, { input: { secret, status: 'accepted' } })).errors?.[0]?.extensions['code'],
    ).toBe('BAD_USER_INPUT');
    expect(reasonOf(await guest.graphql(CLAIM, { input: { invitationId } }))).toBe('INVITATION_NOT_FOUND');
  });

  it('are revoked by owners and unknown to others', async () => {
    const { owner, secret, invitationId } = await linked();
    const REVOKE = `mutation ($input: RevokeInvitationInput!) {
        revokeInvitation(input: $input) { group { revision responseCounts { openInvitations } } } }`;
    expect(reasonOf(await (await registerUser(service)).graphql(REVOKE, { input: { invitationId } }))).toBe(
      'INVITATION_NOT_FOUND',
    );
    expect(await owner.data(REVOKE, { input: { invitationId } })).toEqual({
      revokeInvitation: { group: { revision: 3, responseCounts: { openInvitations: 0 } } },
    });
    expect(reasonOf(await anonymous.graphql(PREVIEW, { secret }))).toBe('INVITATION_NOT_FOUND');
  });
});

describe('registering with an invitation', () => {
  it('creates a PENDING member and verifies the address when it is the invited one', async () => {
    const { owner, groupId, address, secret } = await linked();
    const { person, id, followUps } = await register({ email: address.toUpperCase(), invitation: secret });
    expect(followUps.map(({ name }) => name)).toContain('claim_invitation');
    await claimEnds(id, 'DONE');
    const { me } = await person.data<{ me: object }>(INBOX);
    expect(me).toMatchObject({ emailVerified: true, invitations: { totalCount: 0 } });
    expect(
      await owner.data(
        `query ($id: UUID!, $user: UUID!) {
          group(id: $id) { memberCount member(userId: $user) { status invitedBy { username } } } }`,
        { id: groupId, user: id },
      ),
    ).toEqual({
      group: { memberCount: 2, member: { status: 'PENDING', invitedBy: { username: owner.username } } },
    });
  });

  it('creates a member and verifies nothing with another address or none', async () => {
    for (const email of [uniqueEmail(), null]) {
      const { secret } = await linked();
      const { person, id } = await register({ email, invitation: secret });
      await claimEnds(id, 'DONE');
      expect((await person.data<{ me: object }>(INBOX)).me).toMatchObject({ emailVerified: false });
    }
  });

  it('creates a member and leaves an address that another account has verified', async () => {
    const { address, secret } = await linked();
    const holder = await verifiedPerson(address);
    const { person, id } = await register({ email: address, invitation: secret });
    await claimEnds(id, 'DONE');
    expect((await person.data<{ me: object }>(INBOX)).me).toMatchObject({ emailVerified: false });
    expect((await holder.data<{ me: object }>(INBOX)).me).toMatchObject({ emailVerified: true });
  });

  it('registers no account when the invitation is invalid', async () => {
    const { owner, invitationId, secret } = await linked();
    await owner.data('mutation ($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { group { id } } }', {
      input: { invitationId },
    });
    const username = `nobody-${crypto.randomUUID().slice(0, 8)}`;
    for (const invitation of [secret, 'x', '']) {
      expect(reasonOf(await anonymous.graphql(REGISTER, { input: { username, password: PASSWORD, invitation } }))).toBe(
        'INVITATION_NOT_FOUND',
      );
    }
    expect((await service.database.pool.query('select 1 from account where username = $1', [username])).rows).toEqual(
      [],
    );
  });

  it('registers both accounts and skips the second claim of one invitation', async () => {
    const { groupId, secret } = await linked();
    const registered = await Promise.all([register({ invitation: secret }), register({ invitation: secret })]);
    const ids = registered.map(({ id }) => id);
    await waitUntil('both claims have ended', async () => {
      const { rows } = await service.database.pool.query(
        `
        select status from outbox_task
        where registered_user_id = any($1::uuid[]) and name = 'claim_invitation' and status in ('DONE', 'SKIPPED')`,
        [ids],
      );
      return rows.length === 2;
    });
    const { rows } = await service.database.pool.query(
      'select user_id from member where group_id = $1 and user_id = any($2::uuid[])',
      [groupId, ids],
    );
    expect(rows).toHaveLength(1);
  });

  it('lists an invitation to the address in another case once the user has verified it (solidtime#1172)', async () => {
    const address = `ZOE-${uniqueEmail()}`;
    await linked(address);
    const { person } = await register({ email: address.toLowerCase() });
    expect((await person.data<{ me: { invitations: { totalCount: number } } }>(INBOX)).me.invitations.totalCount).toBe(
      0,
    );
    await waitUntil('the verification is out', () => mailer.sent.some(({ to }) => to === address.toLowerCase()));
    await anonymous.data('mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { user { id } } }', {
      input: { secret: mailer.secretTo(address.toLowerCase()) },
    });
    const asked = await person.graphql<{ me: { invitations: { totalCount: number } } }>(
      '{ me { invitations { totalCount } } }',
    );
    expect(asked.data?.me.invitations.totalCount).toBe(1);
  });
});

describe('the secret of an invitation', () => {
  it('changes nothing when it is previewed or its page is opened (otari#668)', async () => {
    const { secret, invitationId } = await linked();
    const state = async () =>
      (
        await service.database.pool.query(
          `
          select i.*, g.revision, g.open_invitations
          from invitation i join groups g on g.id = i.group_id where i.id = $1`,
          [invitationId],
        )
      ).rows;
    const before = await state();
    const query = new URLSearchParams({ query: PREVIEW, variables: JSON.stringify({ secret }) });
    await Promise.all([
      anonymous.graphql(PREVIEW, { secret }),
      anonymous.get(`/graphql?${query.toString()}`),
      anonymous.send('HEAD', `/graphql?${query.toString()}`),
      ...['GET', 'HEAD', 'OPTIONS'].flatMap((method) =>
        ['/invitation', `/invitation?secret=${secret}`].map((path) => anonymous.send(method, path)),
      ),
    ]);
    expect(await state()).toEqual(before);
    const byGet = new URLSearchParams({
      query: `mutation { claimInvitation(input: { secret: "${secret}" }) { member { status } } }`,
    });
    expect((await (await registerUser(service)).get(`/graphql?${byGet.toString()}`)).status).toBe(405);
    expect(await state()).toEqual(before);
  });

  it('is in no table and no log line', async () => {
    const first = await linked();
    const second = await linked();
    await anonymous.data(PREVIEW, { secret: first.secret });
    await (await registerUser(service)).data(CLAIM, { input: { secret: first.secret } });
    await anonymous.graphql(CLAIM, { input: { secret: second.secret } });
    const { id } = await register({ email: second.address, invitation: second.secret });
    await claimEnds(id, 'DONE');
    const { rows: tables } = await service.database.pool.query<{ name: string }>(
      `
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const { rows } = await service.database.pool.query(
        `select 1 from ${name} as t where t::text like any($1::text[])`,
        [[`%${first.secret}%`, `%${second.secret}%`]],
      );
      expect({ name, rows }).toEqual({ name, rows: [] });
    }
    expect(lines.filter((line) => line.includes(first.secret) || line.includes(second.secret))).toEqual([]);
  });
});
