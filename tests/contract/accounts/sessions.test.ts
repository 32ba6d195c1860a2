import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, SECOND_MS } from '../../../src/async/durations.js';
import { fakeClock } from '../../support/fake-clock.js';
import { expectProblem } from '../../support/http/expect-problem.js';
import { TestClient, type GraphqlResponse, type TestResponse } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createApiKeyClient, PASSWORD, registerUser } from '../../support/service/test-users.js';

const TOKEN = '/api/auth/token';
const REVOKE = '/api/auth/revoke';
const ME = '/api/auth/me';
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json; charset=utf-8';
const PAYLOAD = '{ accessToken tokenType expiresIn refreshToken user { id username } }';

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

const clock = fakeClock();

describe.each(['yoga', 'apollo'])('sessions with %s', (engine) => {
  let service: TestService;
  let anonymous: TestClient;

  beforeAll(async () => {
    service = await startTestService({ clock, hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    anonymous = new TestClient(service.url);
    await Promise.all([registerUser(service, 'ada'), registerUser(service, 'ben')]);
  });
  afterAll(() => service.remove());

  async function logIn(username = 'ada', headers: Readonly<Record<string, string>> = {}): Promise<Tokens> {
    return tokensOf(await anonymous.post(TOKEN, { username, password: PASSWORD }, headers));
  }

  function refreshByRest(token: string, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> {
    return anonymous.post(TOKEN, { grant_type: 'refresh_token', refresh_token: token }, headers);
  }

  function refreshByForm(token: string): Promise<TestResponse> {
    return anonymous.send('POST', TOKEN, {
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    });
  }

  function refreshByGraphql(token: string, headers: Readonly<Record<string, string>> = {}): Promise<GraphqlResponse> {
    return anonymous.graphql(
      `mutation ($input: RefreshTokenInput!) { refreshToken(input: $input) ${PAYLOAD} }`,
      { input: { refreshToken: token } },
      headers,
    );
  }

  function revoke(client: TestClient, input: object): Promise<GraphqlResponse> {
    return client.graphql('mutation ($input: RevokeTokenInput!) { revokeToken(input: $input) { revokedSessions } }', {
      input,
    });
  }

  async function admission({ access }: Tokens): Promise<number | string> {
    const response = await anonymous.with(access).get(ME);
    return response.status === 200 ? 200 : (response.body as { reason: string }).reason;
  }

  function expectRejected(
    response: TestResponse,
    reason: 'REFRESH_INVALID' | 'REFRESH_REUSED',
    contentType?: string,
  ): void {
    expectProblem(response, {
      status: contentType === undefined ? 401 : 400,
      code: 'UNAUTHENTICATED',
      reason,
      instance: TOKEN,
      oauthError: 'invalid_grant',
      contentType,
    });
    expect(response.headers.get('www-authenticate')).toBe(contentType === undefined ? 'Bearer' : null);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }

  it('start with both tokens, over either transport', async () => {
    const rest = await anonymous.post(TOKEN, { username: 'ada', password: PASSWORD });
    expect(Object.keys(rest.body as object)).toEqual([
      'access_token',
      'token_type',
      'expires_in',
      'refresh_token',
      'user_id',
    ]);
    const { issueToken } = await anonymous.data<{ issueToken: object }>(
      `mutation ($input: IssueTokenInput!) { issueToken(input: $input) ${PAYLOAD} }`,
      { input: { username: 'ada', password: PASSWORD } },
    );
    expect(issueToken).toMatchObject({
      tokenType: 'bearer',
      expiresIn: 900,
      refreshToken: expect.stringMatching(/^cvr_[\w-]{70}$/),
    });
  });

  it('are refreshed alike by JSON, by form and by GraphQL', async () => {
    const first = await logIn();
    const byJson = await refreshByRest(first.refresh);
    expect(byJson.status).toBe(200);
    expect(byJson.headers.get('cache-control')).toBe('no-store');
    const byForm = await refreshByForm(tokensOf(byJson).refresh);
    expect([byForm.status, byForm.headers.get('content-type')]).toEqual([200, JSON_TYPE]);
    expect(Object.keys(byForm.body as object)).toEqual(Object.keys(byJson.body as object));
    const { data } = await refreshByGraphql(tokensOf(byForm).refresh);
    expect(data).toMatchObject({ refreshToken: { tokenType: 'bearer', expiresIn: 900, user: { username: 'ada' } } });
    const last = data?.refreshToken as { accessToken: string; refreshToken: string };
    expect(await admission({ access: last.accessToken, refresh: last.refreshToken })).toBe(200);
    expect(new Set([first.refresh, tokensOf(byJson).refresh, tokensOf(byForm).refresh, last.refreshToken]).size).toBe(
      4,
    );
  });

  it('are shared by two tabs that refresh concurrently, over both transports', async () => {
    const { refresh } = await logIn();
    const [rest, graphql] = await Promise.all([refreshByRest(refresh), refreshByGraphql(refresh)]);
    const other = graphql.data?.refreshToken as { refreshToken: string; accessToken: string };
    expect(tokensOf(rest).refresh).toBe(other.refreshToken);
    expect(
      await Promise.all([admission(tokensOf(rest)), admission({ access: other.accessToken, refresh: '' })]),
    ).toEqual([200, 200]);
    expect((await refreshByRest(other.refreshToken)).status).toBe(200);
  });

  it('are revoked immediately when an old refresh token is used, on every transport', async () => {
    const first = await logIn();
    const second = tokensOf(await refreshByRest(first.refresh));
    clock.advance(10 * SECOND_MS + 1);
    expectRejected(await refreshByRest(first.refresh), 'REFRESH_REUSED');
    expect(await Promise.all([first, second].map(admission))).toEqual(['TOKEN_REVOKED', 'TOKEN_REVOKED']);
    expectRejected(await refreshByForm(second.refresh), 'REFRESH_INVALID', JSON_TYPE);
    const { errors, data } = await refreshByGraphql(first.refresh);
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'REFRESH_INVALID' });
    const again = await logIn();
    await refreshByRest(again.refresh);
    clock.advance(10 * SECOND_MS + 1);
    expect((await refreshByGraphql(again.refresh)).errors?.[0]?.extensions).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'REFRESH_REUSED',
    });
  });

  it('reject a revoked token with a challenge, and a query with an error', async () => {
    const tokens = await logIn();
    await revoke(anonymous, { refreshToken: tokens.refresh });
    const response = await anonymous.with(tokens.access).get(ME);
    expectProblem(response, { status: 401, code: 'UNAUTHENTICATED', reason: 'TOKEN_REVOKED', instance: ME });
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const { errors } = await anonymous.with(tokens.access).graphql('{ me { id } }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REVOKED' });
  });

  it.each(['stale', 'revoked'])(
    'start, are refreshed and are revoked with any %s token in the header (hasura#9650)',
    async (kind) => {
      const old = await logIn();
      await revoke(anonymous, { refreshToken: old.refresh });
      const authorization = kind === 'stale' ? 'Bearer stale' : `Bearer ${old.access}`;
      const tokens = await logIn('ada', { authorization });
      const rest = await refreshByRest(tokens.refresh, { authorization });
      expect(rest.status).toBe(200);
      const graphql = await refreshByGraphql(tokensOf(rest).refresh, { authorization });
      expect(graphql.errors).toBeUndefined();
      expect((await anonymous.post(REVOKE, { token: tokens.refresh }, { authorization })).status).toBe(200);
      expect(await admission(tokens)).toBe('TOKEN_REVOKED');
    },
  );

  it('reject a refresh token as an access token, and the reverse', async () => {
    const { access, refresh } = await logIn();
    expect(await admission({ access: refresh, refresh })).toBe('TOKEN_INVALID');
    expectRejected(await refreshByRest(access), 'REFRESH_INVALID');
    const key = await createApiKeyClient(service, ['groups:read']);
    expect((await revoke(key, {})).errors?.[0]?.extensions).toMatchObject({ reason: 'SCOPE_REQUIRED' });
  });

  it.each([
    ['without a refresh token', { grant_type: 'refresh_token' }],
    ['with an empty one', { grant_type: 'refresh_token', refresh_token: '' }],
    ['with null', { grant_type: 'refresh_token', refresh_token: null }],
    ['with a number', { grant_type: 'refresh_token', refresh_token: 5 }],
    ['with a list', { grant_type: 'refresh_token', refresh_token: ['x'] }],
  ])('are not refreshed %s', async (_, body) => {
    const expected = {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: TOKEN,
      fields: ['refresh_token'],
      oauthError: 'invalid_request',
    };
    expectProblem(await anonymous.post(TOKEN, body), expected);
  });

  it('are revoked at the OAuth path, by JSON and by form, by any token, known or unknown', async () => {
    const [one, two, three] = [await logIn(), await logIn(), await logIn()];
    const responses = [
      await anonymous.post(REVOKE, { token: one.refresh, token_type_hint: 'nonsense', client_id: 'x' }),
      await anonymous.send('POST', REVOKE, {
        body: new URLSearchParams({ token: two.refresh, token_type_hint: 'access_token' }),
      }),
      await anonymous.send('POST', REVOKE, {
        body: new URLSearchParams({ token: three.access, token_type_hint: 'refresh_token' }),
      }),
      await anonymous.post(REVOKE, { token: one.refresh }),
      await anonymous.post(REVOKE, { token: 'unknown' }),
    ];
    for (const response of responses) {
      expect([response.status, response.body]).toEqual([200, {}]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(await Promise.all([one, two, three].map(admission))).toEqual([
      'TOKEN_REVOKED',
      'TOKEN_REVOKED',
      'TOKEN_REVOKED',
    ]);
  });

  it.each([[{}], [{ token: '' }], [{ token: null }], [{ token: 7 }], [{ refreshToken: 'x' }]])(
    'are not revoked by %j, even with a token in the header',
    async (body) => {
      const tokens = await logIn();
      const response = await anonymous.with(tokens.access).post(REVOKE, body);
      expectProblem(response, {
        status: 422,
        code: 'BAD_USER_INPUT',
        reason: 'INVALID_INPUT',
        instance: REVOKE,
        fields: ['token'],
        oauthError: 'invalid_request',
      });
      expect(await admission(tokens)).toBe(200);
    },
  );

  it('accept no other method on either path', async () => {
    for (const path of [TOKEN, REVOKE]) {
      const response = await anonymous.get(path);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    }
    expect(
      (await anonymous.send('POST', REVOKE, { headers: { 'content-type': 'text/plain' }, body: 'token=x' })).status,
    ).toBe(415);
    expect((await anonymous.send('POST', REVOKE, { headers: { 'content-type': FORM }, body: '' })).status).toBe(400);
  });

  it('are revoked for the caller, one or all', async () => {
    const bens = await logIn('ben');
    const [one, two, three] = [await logIn(), await logIn(), await logIn()];
    expect((await revoke(anonymous.with(one.access), {})).data).toEqual({ revokeToken: { revokedSessions: 1 } });
    expect(await Promise.all([one, two, three].map(admission))).toEqual(['TOKEN_REVOKED', 200, 200]);
    const { data } = await revoke(anonymous.with(two.access), { everywhere: true });
    expect((data?.revokeToken as { revokedSessions: number }).revokedSessions).toBeGreaterThanOrEqual(2);
    expect(await Promise.all([two, three, bens].map(admission))).toEqual(['TOKEN_REVOKED', 'TOKEN_REVOKED', 200]);
    expect((await revoke(anonymous, {})).errors?.[0]?.extensions).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'TOKEN_MISSING',
    });
  });

  it('are listed with their clients, and revoked one by one', async () => {
    await revoke(anonymous.with((await logIn()).access), { everywhere: true });
    const phone = await logIn('ada', { 'user-agent': 'Phone' });
    clock.advance(SECOND_MS);
    const laptop = await logIn('ada', { 'user-agent': 'Laptop' });
    const ada = anonymous.with(laptop.access);
    const query = '{ me { sessions { id current createdAt lastUsedAt expiresAt userAgent address } } }';
    const { me } = await ada.data<{ me: { sessions: { id: string; current: boolean }[] } }>(query);
    const now = clock.now().toISOString();
    expect(me.sessions).toEqual([
      {
        id: expect.any(String),
        current: true,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: clock.in(30 * DAY_MS).toISOString(),
        userAgent: 'Laptop',
        address: '127.0.0.1',
      },
      expect.objectContaining({ current: false, userAgent: 'Phone', address: '127.0.0.1' }),
    ]);
    const end = (client: TestClient, sessionId: string): Promise<GraphqlResponse> =>
      client.graphql('mutation ($input: RevokeSessionInput!) { revokeSession(input: $input) { revokedSessions } }', {
        input: { sessionId },
      });
    const other = me.sessions[1]?.id ?? '';
    const ben = anonymous.with((await logIn('ben')).access);
    expect((await end(ben, other)).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_FOUND',
      reason: 'SESSION_NOT_FOUND',
    });
    expect((await end(anonymous, other)).errors?.[0]?.extensions).toMatchObject({ reason: 'TOKEN_MISSING' });
    expect((await end(ada, other.toUpperCase())).data).toEqual({ revokeSession: { revokedSessions: 1 } });
    expect((await end(ada, other)).errors?.[0]?.extensions).toMatchObject({ reason: 'SESSION_NOT_FOUND' });
    expect(await Promise.all([phone, laptop].map(admission))).toEqual(['TOKEN_REVOKED', 200]);
  });

  it('are limited to 1,000: the least recently used end at the next login, on every transport', async () => {
    await revoke(anonymous.with((await logIn()).access), { everywhere: true });
    const first = await logIn();
    clock.advance(SECOND_MS);
    await service.database.pool.query(
      `
        insert into session (id, user_id, created_at, rotated_at, expires_at) select gen_random_uuid(), id, $1, $1, $2
        from account, generate_series(1, 999) where username = 'ada'`,
      [clock.now(), clock.in(DAY_MS)],
    );
    clock.advance(SECOND_MS);
    const second = await logIn();
    expect(await Promise.all([first, second].map(admission))).toEqual(['TOKEN_REVOKED', 200]);
    expectRejected(await refreshByRest(first.refresh), 'REFRESH_INVALID');
    const { me } = await anonymous
      .with(second.access)
      .data<{ me: { sessions: object[] } }>('{ me { sessions { id } } }');
    expect(me.sessions).toHaveLength(900);
    await revoke(anonymous.with(second.access), { everywhere: true });
  });

  it("are visible with the same user's token only, not in the response to a login", async () => {
    const ben = await logIn('ben');
    await logIn('ada');
    const login = `
      mutation ($input: IssueTokenInput!) {
        issueToken(input: $input) { user { username sessions { current } } }
      }`;
    for (const client of [anonymous, anonymous.with(ben.access)]) {
      const { errors } = await client.graphql(login, { input: { username: 'ada', password: PASSWORD } });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });
});

function tokensOf({ status, body, text }: TestResponse): Tokens {
  if (status !== 200) throw new Error(`no tokens: ${text}`);
  const { access_token: access, refresh_token: refresh } = body as { access_token: string; refresh_token: string };
  return { access, refresh };
}
