import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createApiKey } from '../../../src/accounts/index.js';
import { createCapturingLogger, WARN } from '../../support/capturing-logger.js';
import { TestClient } from '../../support/http/test-client.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import { waitUntil } from '../../support/wait-until.js';

const INFO = 30;
const TOKEN = '/api/auth/token';
const ME = '/api/auth/me';
const NEW_PASSWORD = 'nine louder lanterns';

const { log, lines } = createCapturingLogger();
const mailer = new RecordingMailer();
let service: TestService;
let anonymous: TestClient;
let admin: TestUser;
let ada: TestUser;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER, mailer, log });
  anonymous = new TestClient(service.url);
  admin = await registerAdmin(service);
});
afterAll(() => service.remove());
beforeEach(async () => {
  ada = await registerUser(service);
});

type Headers = Readonly<Record<string, string>>;
let requests = 0;

/** Every log line of one request, without the fields that are not part of the event. */
async function loggedEvents(request: (headers: Headers) => Promise<unknown>): Promise<object[]> {
  requests += 1;
  const requestId = `logged-${requests}`;
  await request({ 'x-request-id': requestId });
  return lines
    .filter((line) => line.requestId === requestId)
    .map(({ time: _time, pid: _pid, hostname: _hostname, requestId: _id, msg, level, ...event }) => {
      expect(msg).toBe(`Security: ${String(event.event)} ${String(event.outcome)}`);
      expect(level).toBe(event.outcome === 'ok' ? INFO : WARN);
      expect(event.address).toMatch(/127\.0\.0\.1$/);
      return { ...event, address: undefined };
    });
}

function mutation(name: string, selection: string): string {
  return `
    mutation ($input: ${name[0]?.toUpperCase() ?? ''}${name.slice(1)}Input!) {
      ${name}(input: $input) { ${selection} }
    }`;
}

function ok(event: string, operation: string, subjects: object): object[] {
  return [{ event, outcome: 'ok', operation, ...subjects }];
}

function rejectedEvents(event: string, reason: string, operation: string, subjects: object): object[] {
  return [{ event, outcome: 'refused', reason, operation, ...subjects }];
}

async function logIn(username: string): Promise<{ access: string; refresh: string }> {
  const { body } = await anonymous.post(TOKEN, { username, password: PASSWORD });
  const { access_token: access, refresh_token: refresh } = body as { access_token: string; refresh_token: string };
  return { access, refresh };
}

/** Registers `ada` with a verified address. */
async function proven(): Promise<string> {
  const email = `${ada.username}@example.org`;
  await ada.data(mutation('updateProfile', 'user { id }'), { input: { email, currentPassword: PASSWORD } });
  return email;
}

/**
 * The nth secret of those mailed to an address. A secret may occur twice, because a late registration mail contains the
 * latest link too.
 */
async function mailed(email: string, which: number): Promise<string> {
  const mails = (): string[] =>
    mailer.sent.filter(({ to }) => to === email).flatMap(({ text }) => /#secret=([\w-]+)/.exec(text)?.[1] ?? []);
  const secrets = (): string[] => [...new Set(mails())];
  await waitUntil('the mail', () => secrets().length >= which);
  return secrets()[which - 1] ?? '';
}

describe('the security log contains once', () => {
  it('a registration', async () => {
    const [line] = await loggedEvents((headers) =>
      anonymous.post('/api/auth/register', { username: 'newcomer', password: PASSWORD }, headers),
    );
    expect(line).toEqual({ event: 'registration', outcome: 'ok', operation: 'register', userId: expect.any(String) });
  });

  it('a login with its account, whatever token is sent', async () => {
    expect(
      await loggedEvents((headers) => anonymous.post(TOKEN, { username: ada.username, password: PASSWORD }, headers)),
    ).toEqual(ok('login', 'issueToken', { userId: ada.id }));
    const input = { username: ada.username, password: PASSWORD };
    expect(
      await loggedEvents((headers) => admin.graphql(mutation('issueToken', 'expiresIn'), { input }, headers)),
    ).toEqual(ok('login', 'issueToken', { userId: ada.id }));
  });

  it('a refresh', async () => {
    const { refresh } = await logIn(ada.username);
    expect(
      await loggedEvents((headers) =>
        anonymous.post(TOKEN, { grant_type: 'refresh_token', refresh_token: refresh }, headers),
      ),
    ).toEqual(ok('refresh', 'refreshToken', { userId: ada.id }));
  });

  it('a logout by token, also at the OAuth path, and none where no session ended', async () => {
    const { refresh } = await logIn(ada.username);
    const revoke = (headers: Headers) => anonymous.post('/api/auth/revoke', { token: refresh }, headers);
    expect(await loggedEvents(revoke)).toEqual(ok('revocation', 'revokeToken', { userId: ada.id }));
    expect(await loggedEvents(revoke)).toEqual([]);
  });

  it('sessions that a user revokes', async () => {
    const { me } = await ada.data<{ me: { sessions: { id: string }[] } }>('{ me { sessions { id } } }');
    const [session] = me.sessions;
    await logIn(ada.username);
    expect(
      await loggedEvents((headers) =>
        ada.graphql(mutation('revokeSession', 'revokedSessions'), { input: { sessionId: session?.id } }, headers),
      ),
    ).toEqual(ok('revocation', 'revokeSession', { userId: ada.id }));
    const { access } = await logIn(ada.username);
    expect(
      await loggedEvents((headers) =>
        anonymous
          .with(access)
          .graphql('mutation { revokeToken(input: { everywhere: true }) { revokedSessions } }', {}, headers),
      ),
    ).toEqual(ok('revocation', 'revokeToken', { userId: ada.id }));
  });

  it('a changed profile with an added or removed address', async () => {
    const update = (input: object) =>
      loggedEvents((headers) => ada.graphql(mutation('updateProfile', 'user { id }'), { input }, headers));
    const profileChange = ok('profile-change', 'updateProfile', { userId: ada.id });
    const emailChange = ok('email-change', 'updateProfile', { userId: ada.id });
    const email = `${ada.username}@example.org`;
    expect(await update({ displayName: 'Ada' })).toEqual(profileChange);
    expect(await update({ email, currentPassword: PASSWORD })).toEqual(emailChange);
    expect(await update({ email, currentPassword: PASSWORD })).toEqual(profileChange);
    expect(await update({ email: `other-${email}`, currentPassword: PASSWORD })).toEqual(emailChange);
    expect(await update({ email: null, currentPassword: PASSWORD })).toEqual(emailChange);
  });

  it('a verified address, and a changed or reset password', async () => {
    const email = await proven();
    const secret = await mailed(email, 1);
    expect(
      await loggedEvents((headers) =>
        anonymous.graphql(mutation('verifyEmail', 'user { id }'), { input: { secret } }, headers),
      ),
    ).toEqual(ok('email-verified', 'verifyEmail', { userId: ada.id }));
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect(
      await loggedEvents((headers) =>
        ada.graphql(mutation('changePassword', 'revokedSessions'), { input: change }, headers),
      ),
    ).toEqual(ok('password-changed', 'changePassword', { userId: ada.id }));
    await anonymous.data(mutation('requestPasswordReset', 'accepted'), { input: { email } });
    const reset = { secret: await mailed(email, 2), newPassword: PASSWORD };
    expect(
      await loggedEvents((headers) =>
        anonymous.graphql(mutation('resetPassword', 'revokedSessions'), { input: reset }, headers),
      ),
    ).toEqual(ok('password-reset', 'resetPassword', { userId: ada.id }));
  });

  it('a deleted account', async () => {
    expect(
      await loggedEvents((headers) =>
        ada.graphql(mutation('deleteAccount', 'deletedUserId'), { input: { password: PASSWORD } }, headers),
      ),
    ).toEqual(ok('account-deleted', 'deleteAccount', { userId: ada.id }));
  });

  it('every administrator action with its target', async () => {
    const act = (name: string, selection: string, input: object) =>
      loggedEvents((headers) => admin.graphql(mutation(name, selection), { input }, headers));
    const did = (operation: string, about: object) => ok('admin-action', operation, { userId: admin.id, ...about });
    expect(await act('setUserRole', 'user { username }', { userId: ada.id, role: 'ADMIN' })).toEqual(
      did('setUserRole', { subjectId: ada.id }),
    );
    expect(await act('setUserDisabled', 'user { username }', { userId: ada.id, disabled: true })).toEqual(
      did('setUserDisabled', { subjectId: ada.id }),
    );
    const { rows } = await service.database.pool.query<{ id: string }>(
      `
        update outbox_task set status = 'FAILED', due_at = null
        where registered_user_id = $1 and name = 'announce_registration' returning id`,
      [ada.id],
    );
    expect(await act('retryFollowUp', 'followUp { name }', { followUpId: rows[0]?.id })).toEqual(
      did('retryFollowUp', { subjectId: ada.id }),
    );
    expect(await act('createApiKey', 'secret', { name: 'matcher', scopes: ['GROUPS_READ'] })).toEqual(
      did('createApiKey', { apiKeyId: expect.any(String) }),
    );
    const { apiKeys } = await admin.data<{ apiKeys: { id: string }[] }>('{ apiKeys { id } }');
    const apiKeyId = apiKeys[0]?.id;
    expect(await act('revokeApiKey', 'apiKey { name }', { apiKeyId })).toEqual(did('revokeApiKey', { apiKeyId }));
  });
});

describe('the security log contains errors once:', () => {
  it('a failed login with its account', async () => {
    const fail = (username: string, client: TestClient) =>
      loggedEvents((headers) => client.post(TOKEN, { username, password: 'not it' }, headers));
    expect(await fail(ada.username, anonymous)).toEqual(
      rejectedEvents('login', 'WRONG_CREDENTIALS', 'issueToken', { userId: null, subjectId: ada.id }),
    );
    expect(await fail('nobody-at-all', anonymous)).toEqual(
      rejectedEvents('login', 'WRONG_CREDENTIALS', 'issueToken', { userId: null }),
    );
    expect(await fail(ada.username, ada)).toEqual(
      rejectedEvents('login', 'WRONG_CREDENTIALS', 'issueToken', { userId: ada.id }),
    );
  });

  it('the error that ends a request of several logins', async () => {
    const login = `issueToken(input: { username: "${ada.username}", password: "not it" }) { expiresIn }`;
    const events = await loggedEvents((headers) =>
      anonymous.graphql(`mutation { one: ${login} two: ${login} }`, {}, headers),
    );
    // The first failure ends a request of several mutations.
    expect(events).toEqual(
      rejectedEvents('login', 'WRONG_CREDENTIALS', 'issueToken', { userId: null, subjectId: ada.id }),
    );
  });

  it('a wrong password where it is asked for again', async () => {
    const input = { password: 'not it' };
    expect(
      await loggedEvents((headers) => ada.graphql(mutation('deleteAccount', 'deletedUserId'), { input }, headers)),
    ).toEqual(rejectedEvents('login', 'WRONG_CREDENTIALS', 'deleteAccount', { userId: ada.id }));
  });

  it('a rejected or reused refresh token with its account', async () => {
    const { refresh } = await logIn(ada.username);
    const use = (headers: Headers, token = refresh) =>
      anonymous.post(TOKEN, { grant_type: 'refresh_token', refresh_token: token }, headers);
    expect(await loggedEvents((headers) => use(headers, 'nonsense'))).toEqual(
      rejectedEvents('refresh', 'REFRESH_INVALID', 'refreshToken', { userId: null }),
    );
    const { body } = await use({});
    await use({}, (body as { refresh_token: string }).refresh_token);
    expect(await loggedEvents(use)).toEqual(
      rejectedEvents('theft', 'REFRESH_REUSED', 'refreshToken', { userId: null, subjectId: ada.id }),
    );
  });

  it.each([
    ['plainly', '{ apiKeys { id } }'],
    ['under another name', '{ mine: apiKeys { id } }'],
    ['in an inline fragment', '{ ... on Query { mine: apiKeys { id } } }'],
    [
      'in a fragment of a fragment',
      'query { ...outer } fragment outer on Query { ... { ...inner } } fragment inner on Query { apiKeys { id } }',
    ],
    ['beside others', '{ me { id } ... { mine: apiKeys { id } } other: me { id } }'],
  ])('a denial with its operation when it is requested %s', async (_, query) => {
    const denial = rejectedEvents('denial', 'ADMIN_REQUIRED', 'apiKeys', { userId: ada.id });
    expect(await loggedEvents((headers) => ada.graphql(query, {}, headers))).toEqual(denial);
    // The second time the operation is already compiled.
    expect(await loggedEvents((headers) => ada.graphql(query, {}, headers))).toEqual(denial);
  });

  it('a missing scope of an API key, on either transport, for any number of fields', async () => {
    const key = await createApiKeyClient(service, ['responses:write']);
    const groupId = await createGroupViaApi(admin, [ada]);
    const { apiKeys } = await admin.data<{ apiKeys: { id: string }[] }>('{ apiKeys { id } }');
    const apiKeyId = apiKeys[0]?.id;
    expect(await loggedEvents((headers) => key.get(`/api/groups/${groupId}/members`, headers))).toEqual(
      rejectedEvents('denial', 'SCOPE_REQUIRED', 'group', { userId: null, apiKeyId }),
    );
    const input = { groupId, userId: ada.id, status: 'ACCEPTED' };
    const selection = 'member { invitedBy { id } } group { description quorum respondBy }';
    expect(
      await loggedEvents((headers) => key.graphql(mutation('updateMemberStatus', selection), { input }, headers)),
    ).toEqual(rejectedEvents('denial', 'SCOPE_REQUIRED', 'updateMemberStatus', { userId: null, apiKeyId }));
  });

  it('a rejected token with its account, whatever the operation', async () => {
    const forged = anonymous.with('forged');
    const denial = [{ event: 'denial', outcome: 'refused', reason: 'TOKEN_INVALID', userId: null }];
    expect(await loggedEvents((headers) => forged.get(ME, headers))).toEqual(denial);
    expect(await loggedEvents((headers) => forged.graphql('{ one: me { id } two: me { id } }', {}, headers))).toEqual(
      denial,
    );
    expect(
      await loggedEvents((headers) => forged.graphql(mutation('createGroup', 'group { id }'), { input: 5 }, headers)),
    ).toEqual(denial);
    expect(
      await loggedEvents((headers) => forged.post(TOKEN, { username: ada.username, password: PASSWORD }, headers)),
    ).toEqual([...denial, ...ok('login', 'issueToken', { userId: ada.id })]);
    await ada.data('mutation { revokeToken(input: {}) { revokedSessions } }');
    expect(await loggedEvents((headers) => ada.get(ME, headers))).toEqual([
      { event: 'denial', outcome: 'refused', reason: 'TOKEN_REVOKED', userId: null, subjectId: ada.id },
    ]);
  });

  it('an expired API key with its id', async () => {
    const {
      apiKey: { id },
      secret,
    } = await createApiKey(service.accounts, {
      name: 'old',
      scopes: ['groups:read'],
      groupIds: null,
      expiresAt: new Date(Date.now() + 60_000),
    });
    await service.database.pool.query("update api_key set expires_at = now() - interval '1 s' where id = $1", [id]);
    expect(
      await loggedEvents((headers) => anonymous.with(secret).get(`/api/groups/${UNKNOWN_ID}/members`, headers)),
    ).toEqual([{ event: 'denial', outcome: 'refused', reason: 'TOKEN_EXPIRED', userId: null, apiKeyId: id }]);
  });

  it('no entry for a missing token, a missing object or invalid input', async () => {
    expect(await loggedEvents((headers) => anonymous.get(ME, headers))).toEqual([]);
    expect(await loggedEvents((headers) => anonymous.graphql('{ apiKeys { id } }', {}, headers))).toEqual([]);
    expect(await loggedEvents((headers) => ada.get(`/api/groups/${UNKNOWN_ID}/members`, headers))).toEqual([]);
    expect(await loggedEvents((headers) => ada.graphql('{ nonsense }', {}, headers))).toEqual([]);
    expect(
      await loggedEvents((headers) =>
        ada.graphql(mutation('createGroup', 'group { id }'), { input: { name: '' } }, headers),
      ),
    ).toEqual([]);
  });
});

describe('with rate limits on, the security log contains once', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startTestService({
      hasher: FAKE_HASHER,
      log,
      settings: { RATE_LIMITS: 'on', LIMIT_LOGIN: '1/15m' },
    });
  });
  afterAll(() => limited.remove());

  it('a reached limit with its account', async () => {
    const { id, username } = await registerUser(limited);
    const guess = (headers: Headers) =>
      new TestClient(limited.url).post(TOKEN, { username, password: 'not it' }, headers);
    await guess({});
    expect(await loggedEvents(guess)).toEqual(
      rejectedEvents('limit', 'RATE_LIMITED', 'issueToken', { userId: null, subjectId: id }),
    );
  });
});

describe('request content', () => {
  it('is never repeated in the log and forges no line', async () => {
    const before = lines.length;
    await anonymous.post(TOKEN, { username: 'canary\r\n{"event":"login"}', password: 'canary-password' });
    await anonymous.with('canary-token').graphql(`{ canary: apiKeys { id } }`);
    await ada.graphql(`query canary { canary: apiKeys { id } }`);
    expect(lines.slice(before)).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});
