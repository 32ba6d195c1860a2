import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient, type TestResponse } from '../../support/http/test-client.js';
import { measureBusyMs } from '../../support/measure-busy-ms.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

let service: TestService;
let anonymous: TestClient;
const mailer = new RecordingMailer();

beforeAll(async () => {
  service = await startTestService({ mailer });
  anonymous = new TestClient(service.url);
});
afterAll(() => service.remove());

function register(username: string, password: string, more: object = {}): Promise<TestResponse> {
  return anonymous.post('/api/auth/register', { username, password, ...more });
}

function logIn(username: string, password: string): Promise<TestResponse> {
  return anonymous.post('/api/auth/token', { username, password });
}

async function statusOfLogin(username: string, password: string): Promise<number> {
  return (await logIn(username, password)).status;
}

describe('a password', () => {
  it.each([
    ['after 72 bytes', 'a'.repeat(72)],
    ['at its 128th character', 'k7#'.repeat(42) + 'z'],
    ['after 127 characters of four bytes each', '\u{1f3ee}'.repeat(127)],
    ['after an accented character', `${'lantern '.repeat(10)}\u00e9`],
  ])('does not match one that differs %s', async (what, beginning) => {
    const username = `user-${String(what.length)}`;
    expect((await register(username, `${beginning}X`)).status).toBe(201);
    expect(await statusOfLogin(username, `${beginning}Y`)).toBe(401);
    expect(await statusOfLogin(username, beginning)).toBe(401);
    expect(await statusOfLogin(username, `${beginning}X`)).toBe(200);
  });

  it('is limited to 128 characters, with an error that states the limit', async () => {
    const phrase = 'correct horse battery staple '.repeat(10);
    expect((await register('phrase', phrase.slice(0, 128))).status).toBe(201);
    expect(await statusOfLogin('phrase', phrase.slice(0, 128))).toBe(200);
    const response = await register('longer', phrase.slice(0, 200));
    expect(response).toMatchObject({
      status: 422,
      body: { reason: 'PASSWORD_TOO_LONG', errors: [{ field: 'password', message: 'must be at most 128 characters' }] },
    });
    expect(await statusOfLogin('phrase', phrase.slice(0, 129))).toBe(401);
  });

  it('matches in every Unicode form of its letters, and in no other', async () => {
    expect((await register('zo\u00e9', 'caf\u00e9 lanterns')).status).toBe(201);
    expect(await statusOfLogin('zo\u00e9', 'cafe\u0301 lanterns')).toBe(200);
    expect(await statusOfLogin('zoe\u0301', 'caf\u00e9 lanterns')).toBe(200);
    expect(await statusOfLogin('zo\u00e9', 'cafe lanterns')).toBe(401);
    expect(await statusOfLogin('zo\u00e9', 'CAF\u00c9 lanterns')).toBe(401);
    expect((await register('zoe\u0301', PASSWORD)).status).toBe(409);
  });

  it('keeps leading and trailing white space', async () => {
    expect((await register('spaces', `  ${PASSWORD} `)).status).toBe(201);
    expect(await statusOfLogin('spaces', PASSWORD)).toBe(401);
    expect(await statusOfLogin('spaces', `  ${PASSWORD} `)).toBe(200);
  });

  it.each([
    'all lower case',
    '12 34 56 78 90 12',
    '\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008',
    '\u706f\u7c60\u304c\u4e03\u3064\u3042\u308b\u3088',
  ])('needs no particular kinds of characters: %j', async (password) => {
    const username = `kinds-${String(password.length)}-${String(password.codePointAt(1))}`;
    expect((await register(username, password)).status).toBe(201);
    expect(await statusOfLogin(username, password)).toBe(200);
  });

  it.each([
    ['common', 'Password1'],
    ['the username', 'OBVIOUS-one'],
    ['the email address', 'Obvious@example.org'],
  ])('is rejected when it is %s, in any case', async (_, password) => {
    expect(await register('obvious-one', password, { email: 'obvious@example.org' })).toMatchObject({
      status: 422,
      body: { reason: 'PASSWORD_TOO_COMMON' },
    });
  });

  it.each(['a\u0000bcdefgh', '\ud800abcdefgh'])(
    'is rejected as %j, while a login with it returns the usual error',
    async (password) => {
      expect(await register('unstorable', password)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'password' }] },
      });
      expect(await statusOfLogin('unstorable', password)).toBe(401);
    },
  );
});

describe('a username', () => {
  it('identifies one account in every case', async () => {
    const { id } = await registerUser(service, 'Alice');
    for (const username of ['alice', 'ALICE', 'aLiCe']) {
      expect((await register(username, PASSWORD)).status).toBe(409);
      expect((await logIn(username, PASSWORD)).body).toMatchObject({ user_id: id });
    }
  });

  it.each([' alice', 'alice ', 'al ice\n', 'ali\u200bce', '\u202ealice', 'a\u0007b', '   ', '\u200b\u200b'])(
    'is rejected as %j, also in a login',
    async (username) => {
      expect(await register(username, PASSWORD)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'username' }] },
      });
      expect(await statusOfLogin(username, PASSWORD)).toBe(401);
    },
  );

  it.each([256, 10_000, 90_000])('is rejected immediately with %d characters', async (length) => {
    const ms = await measureBusyMs(async () => {
      expect(await register('a'.repeat(length), PASSWORD)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'username' }] },
      });
    });
    expect(ms).toBeLessThan(2_000);
  });

  it('can be registered again after a lost response: the password that was set works', async () => {
    await register('repeated', PASSWORD);
    expect((await register('repeated', PASSWORD)).status).toBe(409);
    expect(await statusOfLogin('repeated', PASSWORD)).toBe(200);
  });
});

describe('a forgotten password', () => {
  const ask = 'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }';
  const reset = 'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { revokedSessions } }';
  const verify = 'mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { user { emailVerified } } }';

  async function mailTo(address: string, subject: RegExp): Promise<string> {
    await waitUntil(`a mail to ${address}`, () =>
      mailer.sent.some((mail) => mail.to === address && subject.test(mail.subject)),
    );
    return mailer.secretTo(address);
  }

  it('is reset by the mailed link, which revokes every session', async () => {
    await register('forgetful', PASSWORD, { email: 'forgetful@example.org' });
    await anonymous.data(verify, { input: { secret: await mailTo('forgetful@example.org', /Confirm/) } });
    const { access_token: token } = (await logIn('forgetful', PASSWORD)).body as { access_token: string };
    expect(await anonymous.data(ask, { input: { email: 'forgetful@example.org' } })).toEqual({
      requestPasswordReset: { accepted: true },
    });
    const secret = await mailTo('forgetful@example.org', /new password/);
    expect((await anonymous.get('/reset-password')).status).toBe(200);
    expect((await anonymous.with(token).get('/api/auth/me')).status).toBe(200);
    // A stale token must not prevent the reset.
    const response = await anonymous
      .with('stale')
      .graphql(reset, { input: { secret, newPassword: 'nine louder lanterns' } });
    expect(response.data).toEqual({ resetPassword: { revokedSessions: 1 } });
    expect(await anonymous.with(token).get('/api/auth/me')).toMatchObject({
      status: 401,
      body: { reason: 'TOKEN_REVOKED' },
    });
    expect(await statusOfLogin('forgetful', PASSWORD)).toBe(401);
    expect(await statusOfLogin('forgetful@example.org', 'nine louder lanterns')).toBe(200);
    const { errors } = await anonymous.graphql(reset, { input: { secret, newPassword: 'ten louder lanterns' } });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'SECRET_INVALID',
      fields: [{ field: 'secret' }],
    });
  });

  it('is changed with the current one by a signed-in user', async () => {
    const ada = await registerUser(service);
    const elsewhere = anonymous.with(
      ((await logIn(ada.username, PASSWORD)).body as { access_token: string }).access_token,
    );
    const change = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revokedSessions } }';
    const input = { currentPassword: PASSWORD, newPassword: 'nine louder lanterns' };
    expect((await anonymous.graphql(change, { input })).errors?.[0]?.extensions).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'TOKEN_MISSING',
    });
    expect(await ada.data(change, { input })).toEqual({ changePassword: { revokedSessions: 1 } });
    expect((await ada.get('/api/auth/me')).status).toBe(200);
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401);
  });

  it('does not prevent profile changes', async () => {
    const grace = await registerUser(service);
    const update = `
      mutation ($input: UpdateProfileInput!) {
        updateProfile(input: $input) { user { displayName email emailVerified } }
      }`;
    expect(await grace.data(update, { input: { displayName: 'Grace H.' } })).toEqual({
      updateProfile: { user: { displayName: 'Grace H.', email: null, emailVerified: false } },
    });
    const withEmail = { email: 'grace@example.org', currentPassword: PASSWORD };
    expect(await grace.data(update, { input: withEmail })).toMatchObject({
      updateProfile: { user: { displayName: 'Grace H.', email: 'grace@example.org' } },
    });
    expect(await grace.data(update, { input: { displayName: null, email: null, currentPassword: PASSWORD } })).toEqual({
      updateProfile: { user: { displayName: null, email: null, emailVerified: false } },
    });
    expect((await grace.graphql(update, { input: { email: 'x@example.org' } })).errors?.[0]?.extensions).toMatchObject({
      reason: 'INVALID_INPUT',
      fields: [{ field: 'currentPassword' }],
    });
  });
});
