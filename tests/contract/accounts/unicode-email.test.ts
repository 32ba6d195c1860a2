import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient, type GraphqlResponse } from '../../support/http/test-client.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const NEW_PASSWORD = 'nine loud kettles';

const REGISTER = 'mutation ($input: RegisterInput!) { register(input: $input) { user { email emailVerified } } }';
const PROFILE = 'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { email } } }';
const VERIFY = 'mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { user { email emailVerified } } }';
const INVITE = `
  mutation ($input: InviteToGroupInput!) {
    inviteToGroup(input: $input) { results { outcome invitation { email } } }
  }`;
const REQUEST_RESET =
  'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }';
const RESET = 'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { revokedSessions } }';

let service: TestService;
let mailer: RecordingMailer;
let anonymous: TestClient;
let host: TestUser;
let groupId: string;
let count = 0;

beforeAll(async () => {
  mailer = new RecordingMailer();
  service = await startTestService({ hasher: FAKE_HASHER, mailer });
  anonymous = new TestClient(service.url);
  host = await registerUser(service);
  await service.database.pool.query(
    `
      update account set email = 'host@example.org', email_key = 'host@example.org', email_verified_at = now()
      where id = $1`,
    [host.id],
  );
  groupId = await createGroupViaApi(host);
});
afterAll(() => service.remove());

async function secretTo(address: string): Promise<string> {
  await waitUntil('a mail to the address', () => mailer.sent.some(({ to }) => to === address));
  return mailer.secretTo(address);
}

/** An account with a verified address in a Unicode domain. */
async function proven(): Promise<{ username: string; local: string; email: string; caller: TestClient }> {
  const [username, local] = [`unicode-${(count += 1)}`, `ada.${count}`];
  const email = `${local}@München.example`;
  await anonymous.data(REGISTER, { input: { username, password: PASSWORD, email } });
  const { verifyEmail } = await anonymous.data<{ verifyEmail: { user: object } }>(VERIFY, {
    input: { secret: await secretTo(email) },
  });
  expect(verifyEmail.user).toEqual({ email, emailVerified: true });
  return { username, local, email, caller: anonymous.with(await tokenOf(username, PASSWORD)) };
}

async function tokenOf(username: string, password: string): Promise<string> {
  const { status, body } = await anonymous.post('/api/auth/token', { username, password });
  expect(status).toBe(200);
  return (body as { access_token: string }).access_token;
}

function reasonsOf({ errors }: GraphqlResponse): unknown[] {
  return errors?.map(({ extensions: { reason } }) => reason) ?? [];
}

describe('an email address with a Unicode domain', () => {
  it('is accepted by REST registration, and returned as typed, composed', async () => {
    const { status, body } = await anonymous.post('/api/auth/register', {
      username: 'decomposed',
      password: PASSWORD,
      email: 'Zoe@mu\u0308nchen.example',
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ email: 'Zoe@münchen.example', email_verified: false }),
    ]);
  });

  it('is accepted for logins in every spelling of its domain', async () => {
    const { local } = await proven();
    for (const domain of [
      'München.example',
      'MÜNCHEN.EXAMPLE',
      'mu\u0308nchen.example',
      'xn--mnchen-3ya.example',
      'münchen。example',
    ]) {
      await tokenOf(`${local.toUpperCase()}@${domain}`, PASSWORD);
    }
  });

  it('has one verified owner in any spelling', async () => {
    const { local } = await proven();
    const other = `${local}@xn--mnchen-3ya.example`;
    await anonymous.data(REGISTER, { input: { username: `rival-${count}`, password: PASSWORD, email: other } });
    expect(reasonsOf(await anonymous.graphql(VERIFY, { input: { secret: await secretTo(other) } }))).toEqual([
      'EMAIL_TAKEN',
    ]);
  });

  it('receives the link that resets the password', async () => {
    const { username, local, email } = await proven();
    const before = mailer.sent.length;
    await anonymous.data(REQUEST_RESET, { input: { email: `${local}@XN--MNCHEN-3YA.example` } });
    await waitUntil('the link that resets the password', () =>
      mailer.sent.slice(before).some(({ to, text }) => to === email && text.includes('/reset-password#')),
    );
    await anonymous.data(RESET, { input: { secret: mailer.secretTo(email), newPassword: NEW_PASSWORD } });
    await tokenOf(username, NEW_PASSWORD);
  });

  it('can be set by a profile change and verified', async () => {
    const { caller } = await proven();
    const email = `moved.${count}@пример.example`;
    await caller.data(PROFILE, { input: { email, currentPassword: PASSWORD } });
    await anonymous.data(VERIFY, { input: { secret: await secretTo(email) } });
    expect(await caller.data('{ me { email emailVerified } }')).toEqual({ me: { email, emailVerified: true } });
  });

  it('is invited once in any spelling, and is ALREADY_MEMBER when its owner is a member', async () => {
    const { local, username } = await proven();
    const spellings = [`${local}@MÜNCHEN.example`, `${local}@xn--mnchen-3ya.example`];
    const invited = { groupId, invitees: spellings.map((email) => ({ email })) };
    expect(await host.data(INVITE, { input: invited })).toEqual({
      inviteToGroup: {
        results: spellings.map(() => ({ outcome: 'INVITATION_SENT', invitation: { email: spellings[0] } })),
      },
    });
    await host.data(INVITE, { input: { groupId, invitees: [{ username }] } });
    expect(await host.data(INVITE, { input: invited })).toEqual({
      inviteToGroup: { results: spellings.map(() => ({ outcome: 'ALREADY_MEMBER', invitation: null })) },
    });
    expect(
      await host.data('query ($id: UUID!) { group(id: $id) { invitations { totalCount } } }', { id: groupId }),
    ).toEqual({ group: { invitations: { totalCount: 0 } } });
  });
});

describe('an email address with two consecutive dots', () => {
  const email = 'a..b@example.org';

  it('is rejected everywhere with its field', async () => {
    const { caller } = await proven();
    const rejected = await Promise.all([
      anonymous.graphql(REGISTER, { input: { username: 'dotty', password: PASSWORD, email } }),
      caller.graphql(PROFILE, { input: { email, currentPassword: PASSWORD } }),
      anonymous.graphql(REQUEST_RESET, { input: { email } }),
      host.graphql(INVITE, { input: { groupId, invitees: [{ email }] } }),
    ]);
    const fields = rejected.map(({ errors }) => errors?.map(({ extensions }) => extensions.fields));
    const message = 'must be an email address';
    expect(fields).toEqual([
      [[{ field: 'email', message }]],
      [[{ field: 'email', message }]],
      [[{ field: 'email', message }]],
      [[{ field: 'invitees.0.email', message }]],
    ]);
    expect((await anonymous.post('/api/auth/register', { username: 'dotty', password: PASSWORD, email })).status).toBe(
      422,
    );
    expect(rejected.map(({ text }) => text.includes(email))).not.toContain(true);
  });

  it('is still accepted for logins and returned when it was verified before', async () => {
    const user = await registerUser(service);
    await service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [user.id, email],
    );
    await tokenOf(email.toUpperCase(), PASSWORD);
    expect(await user.data('{ me { email } }')).toEqual({ me: { email } });
  });
});

describe('a display name', () => {
  it('of 20 family emoji is accepted by REST and GraphQL', async () => {
    const displayName = '👨‍👩‍👧‍👦'.repeat(20);
    const { status, body } = await anonymous.post('/api/auth/register', {
      username: 'family',
      password: PASSWORD,
      display_name: displayName,
    });
    expect([status, body]).toEqual([201, expect.objectContaining({ display_name: displayName })]);
    expect(
      await host.data(
        'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { displayName } } }',
        { input: { displayName } },
      ),
    ).toEqual({ updateProfile: { user: { displayName } } });
  });
});
