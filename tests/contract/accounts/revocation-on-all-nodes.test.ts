import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { buildApp, type App } from '../../../src/app.js';
import { SECOND_MS } from '../../../src/async/durations.js';
import { leastStatementsOfRequest } from '../../support/database/count-statements.js';
import { TestClient } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerAdmin, registerUser, type TestUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const ME = '/api/auth/me';
const LISTENER = 'convene convene_revocations';

let here: TestService;
let there: App;
let thereUrl: string;

beforeAll(async () => {
  here = await startTestService({ hasher: FAKE_HASHER });
  ({ app: there, url: thereUrl } = await startAnother());
});

afterAll(async () => {
  await there.close();
  await here.remove();
});

/** Another process on the same database. */
async function startAnother(): Promise<{ app: App; url: string }> {
  const app = await buildApp({ ...here.settings, PORT: 0 }, { log: pino({ level: 'silent' }), hasher: FAKE_HASHER });
  return { app, url: await app.listen() };
}

/** Follow-ups of a registration send statements of their own. */
async function haveFollowUpsEnded(): Promise<boolean> {
  const { rows } = await here.database.pool.query('select 1 from outbox_task where due_at <= now()');
  return rows.length === 0;
}

interface Login {
  readonly accessToken: string;
  readonly refreshToken: string;
}

let ada: TestUser;
let login: Login;

async function logIn(): Promise<Login> {
  const { body } = await new TestClient(here.url).post('/api/auth/token', {
    username: ada.username,
    password: PASSWORD,
  });
  const { access_token: accessToken, refresh_token: refreshToken } = body as {
    access_token: string;
    refresh_token: string;
  };
  return { accessToken, refreshToken };
}

beforeEach(async () => {
  ada = await registerUser(here);
  login = await logIn();
  expect(await reasonFor(login)).toBeNull();
});

/** The error reason of the other process; null when it accepts the caller. */
async function reasonFor({ accessToken }: Pick<Login, 'accessToken'>, url = thereUrl): Promise<string | null> {
  const { status, body } = await new TestClient(url, accessToken).get(ME);
  return status === 200 ? null : (body as { reason: string }).reason;
}

/** How long the other process accepts a token that this process rejects. */
async function msUntilRejected(rejected = login): Promise<number> {
  const begun = performance.now();
  await waitUntil('the token is refused', async () => (await reasonFor(rejected)) === 'TOKEN_REVOKED');
  return performance.now() - begun;
}

function cutListeners(): Promise<unknown> {
  return here.database.pool.query(
    `
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    [LISTENER],
  );
}

describe('revocation on the other process within a second', () => {
  it('follows a logout', async () => {
    await new TestClient(here.url).post('/api/auth/revoke', { token: login.refreshToken });
    expect(await msUntilRejected()).toBeLessThan(SECOND_MS);
  });

  it('follows a reused refresh token', async () => {
    const refresh = (): Promise<{ body: unknown }> =>
      new TestClient(here.url).post('/api/auth/token', {
        grant_type: 'refresh_token',
        refresh_token: login.refreshToken,
      });
    const { body } = await refresh();
    await new TestClient(here.url).post('/api/auth/token', {
      grant_type: 'refresh_token',
      refresh_token: (body as { refresh_token: string }).refresh_token,
    });
    expect((await refresh()).body).toMatchObject({ reason: 'REFRESH_REUSED' });
    expect(await msUntilRejected()).toBeLessThan(SECOND_MS);
  });

  it('follows a password change, except for the session that made it (supabase/auth#797)', async () => {
    const other = await logIn();
    await new TestClient(here.url, ada.token).data(
      'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revokedSessions } }',
      {
        input: { currentPassword: PASSWORD, newPassword: 'nine loud lanterns' },
      },
    );
    expect(await msUntilRejected(login)).toBeLessThan(SECOND_MS);
    expect(await msUntilRejected(other)).toBeLessThan(SECOND_MS);
    expect(await reasonFor({ accessToken: ada.token })).toBeNull();
    expect(
      (
        await new TestClient(thereUrl).post('/api/auth/token', {
          grant_type: 'refresh_token',
          refresh_token: other.refreshToken,
        })
      ).status,
    ).toBe(401);
  });

  it('follows the deletion of the account (supabase#6702)', async () => {
    await new TestClient(here.url, ada.token).data(
      'mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }',
      { input: { password: PASSWORD } },
    );
    expect(await msUntilRejected()).toBeLessThan(SECOND_MS);
    const query = await new TestClient(thereUrl, login.accessToken).graphql('{ me { memberships { totalCount } } }');
    expect(query.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REVOKED' });
  });

  it.each([
    ['disables the account', 'setUserDisabled(input: { userId: $userId, disabled: true })'],
    ['grants the administrator role', 'setUserRole(input: { userId: $userId, role: ADMIN })'],
  ])('follows an administrator who %s', async (_, change) => {
    const admin = await registerAdmin(here);
    await admin.data(`mutation ($userId: UUID!) { ${change} { user { id } } }`, { userId: ada.id });
    expect(await msUntilRejected()).toBeLessThan(SECOND_MS);
  });

  it('follows a logout immediately after the other process has lost its connection', async () => {
    await cutListeners();
    await new TestClient(here.url).post('/api/auth/revoke', { token: login.refreshToken });
    expect(await msUntilRejected()).toBeLessThan(SECOND_MS);
  });

  it('follows a logout without a notification', async () => {
    jest.spyOn(here.accounts.revocations, 'publish').mockImplementation(() => undefined);
    await new TestClient(here.url).post('/api/auth/revoke', { token: login.refreshToken });
    jest.restoreAllMocks();
    expect(await msUntilRejected()).toBeLessThan(SECOND_MS);
  });
});

describe('a process that starts after a logout', () => {
  it('rejects its access token', async () => {
    await new TestClient(here.url).post('/api/auth/revoke', { token: login.refreshToken });
    const later = await startAnother();
    expect(await reasonFor(login, later.url)).toBe('TOKEN_REVOKED');
    await later.app.close();
  });
});

describe('a request with a token', () => {
  it('runs one statement, its own', async () => {
    const admin = await registerAdmin(here);
    const requests = [
      () => here.accounts.loaders.viewer(ada.id),
      () => new TestClient(here.url, ada.token).get(ME),
      () => new TestClient(here.url, ada.token).graphql('{ me { username } }'),
      () => new TestClient(here.url, admin.token).get(ME),
    ];
    for (const request of requests) {
      await waitUntil('the follow-ups have ended', haveFollowUpsEnded);
      expect(await leastStatementsOfRequest<unknown>(request)).toBe(1);
    }
  });
});
