import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../../../src/rest/index.js';
import { fakeClock } from '../../../support/fake-clock.js';
import { expectProblem } from '../../../support/http/expect-problem.js';
import { requestHead, sendRawRequest } from '../../../support/http/raw-http.js';
import { TestClient } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../support/service/test-users.js';

const ROWS = ROUTES.filter(({ needsToken }) => needsToken).map((row) => [`${row.method} ${row.path}`, row] as const);
const TTL_MS = 900_000;
const TOLERANCE_MS = 30_000;
const INVALID = 'Bearer error="invalid_token"';

const clock = fakeClock();
let service: TestService;
let owner: TestUser;
let member: TestUser;
let groupId: string;
/** Each token was valid before. */
let invalidTokens: Readonly<Record<'TOKEN_EXPIRED' | 'TOKEN_REVOKED', string>>;

beforeAll(async () => {
  service = await startTestService({ clock, hasher: FAKE_HASHER });
  const early = await registerUser(service);
  clock.advance(TTL_MS + TOLERANCE_MS);
  const [left, loggedOut] = [await registerUser(service), await registerUser(service)];
  await loggedOut.data('mutation { revokeToken(input: {}) { revokedSessions } }');
  invalidTokens = { TOKEN_EXPIRED: early.token, TOKEN_REVOKED: loggedOut.token };
  owner = left;
  member = await registerUser(service);
  groupId = await createGroupViaApi(owner, [member]);
});
afterAll(() => service.remove());

function filled(path: string): string {
  return path.replace(':group_id', groupId).replace(':user_id', member.id);
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Sends exactly these Authorization headers. `fetch` would trim and join them. */
async function ask(
  { method, path, body }: Row,
  authorization: readonly string[],
): Promise<{ status: number; challenge: string | undefined; code: string | undefined }> {
  const json = body === 'none' ? '' : '{"status": "tentative"}';
  const response = await sendRawRequest(
    service.url,
    requestHead(
      `${method} ${filled(path)} HTTP/1.1`,
      'Host: convene',
      'Connection: close',
      ...authorization.map((value) => `Authorization: ${value}`),
      ...(json === '' ? [] : ['Content-Type: application/json', `Content-Length: ${json.length}`]),
    ) + json,
  );
  return {
    status: Number(response.slice(9, 12)),
    challenge: /\r\nwww-authenticate: (.*)\r\n/i.exec(response)?.[1],
    code: /"code":"(\w+)"/.exec(response)?.[1],
  };
}

describe.each(ROWS)('%s', (_, row) => {
  it.each<[string, (token: string) => string]>([
    ['bearer', (token) => `bearer ${token}`],
    ['BEARER', (token) => `BEARER ${token}`],
    ['BeArEr', (token) => `BeArEr ${token}`],
    ['several spaces', (token) => `Bearer    ${token}`],
    ['a space at the end', (token) => `Bearer ${token} `],
    ['a tab at the end', (token) => `Bearer ${token}\t`],
    ['a space before the scheme', (token) => `  Bearer ${token}`],
  ])('accepts a token with %s (hyperium/headers#141)', async (_spelling, header) => {
    expect((await ask(row, [header(member.token)])).status).toBe(200);
  });

  it.each<[string, (token: string) => string[]]>([
    ['under another scheme', (token) => [`Basic ${token}`]],
    ['under a scheme that only begins alike', (token) => [`BearerX ${token}`]],
    ['without its scheme', (token) => [token]],
    ['that is missing', () => ['Bearer']],
    ['that is spaces', () => ['Bearer    ']],
    ['in an empty header', () => ['']],
    ['after a tab', (token) => [`Bearer\t${token}`]],
    ['after a comma', (token) => [`Bearer, ${token}`]],
    ['after an equals sign', (token) => [`Bearer=${token}`]],
    ['twice in one header', (token) => [`Bearer ${token} ${token}`]],
    ['in a list', (token) => [`Bearer ${token}, Bearer ${token}`]],
    ['in two headers', (token) => [`Bearer ${token}`, `Bearer ${token}`]],
    ['before another scheme', (token) => [`Bearer ${token}`, 'Basic YTpi']],
    ['after another scheme', (token) => ['Basic YTpi', `Bearer ${token}`]],
    ['beside an empty header', (token) => [`Bearer ${token}`, '']],
    ['beside a bad one', (token) => [`Bearer ${token}`, 'Bearer nonsense']],
    ['in quotes', (token) => [`Bearer "${token}"`]],
    ['with a parameter', (token) => [`Bearer ${token}; x=1`]],
  ])('rejects a token %s (koa-bearer-token#4)', async (_how, headers) => {
    expect(await ask(row, headers(member.token))).toEqual({ status: 401, challenge: INVALID, code: 'UNAUTHENTICATED' });
  });

  it('returns a plain challenge when no token is sent (fastapi#10177)', async () => {
    expect(await ask(row, [])).toEqual({ status: 401, challenge: 'Bearer', code: 'UNAUTHENTICATED' });
  });

  it.each(['TOKEN_EXPIRED', 'TOKEN_REVOKED', 'TOKEN_INVALID'] as const)(
    'returns the reason of an invalid token: %s',
    async (reason) => {
      const client = new TestClient(service.url, reason === 'TOKEN_INVALID' ? 'nonsense' : invalidTokens[reason]);
      const response = await client.send(
        row.method,
        filled(row.path),
        row.body === 'none' ? {} : { json: { status: 'tentative' } },
      );
      expectProblem(response, { status: 401, code: 'UNAUTHENTICATED', reason, instance: filled(row.path) });
      expect(response.headers.get('www-authenticate')).toBe(INVALID);
    },
  );

  it('returns 403 or 404 without a challenge for a valid token without the right', async () => {
    const request = row.body === 'none' ? {} : { json: { status: 'tentative' } };
    const scoped = await (
      await createApiKeyClient(service, ['scores:write'])
    ).send(row.method, filled(row.path), request);
    expectProblem(scoped, { status: 403, code: 'FORBIDDEN', reason: 'SCOPE_REQUIRED', instance: filled(row.path) });
    if (row.path === '/api/auth/me') return;
    const limited = await (
      await createApiKeyClient(service, ['groups:read', 'responses:write'], [await createGroupViaApi(owner)])
    ).send(row.method, filled(row.path), request);
    expectProblem(limited, { status: 404, code: 'NOT_FOUND', reason: 'GROUP_NOT_FOUND', instance: filled(row.path) });
    const stranger = await (await registerUser(service)).send(row.method, filled(row.path), request);
    expectProblem(stranger, { status: 404, code: 'NOT_FOUND', reason: 'GROUP_NOT_FOUND', instance: filled(row.path) });
    if (row.method === 'GET') return;
    expectProblem(await owner.send(row.method, filled(row.path), request), {
      status: 403,
      code: 'FORBIDDEN',
      reason: 'NOT_YOUR_MEMBERSHIP',
      instance: filled(row.path),
    });
  });
});

describe('a public path', () => {
  const paths = ROUTES.filter(({ needsToken }) => !needsToken).map((row) => [row.path, row] as const);
  let names = 0;

  async function tokens(): Promise<{ refresh_token: string }> {
    const { body } = await new TestClient(service.url).post('/api/auth/token', {
      username: member.username,
      password: PASSWORD,
    });
    return body as { refresh_token: string };
  }

  /** Every successful status. */
  const BODIES: Readonly<Record<string, (() => object | Promise<object>)[]>> = {
    '/api/auth/register': [() => ({ username: `newcomer-${(names += 1)}`, password: PASSWORD })],
    '/api/auth/token': [
      () => ({ username: member.username, password: PASSWORD }),
      async () => ({ grant_type: 'refresh_token', refresh_token: (await tokens()).refresh_token }),
    ],
    '/api/auth/revoke': [async () => ({ token: (await tokens()).refresh_token })],
  };

  const bad = (): string[] => [
    `Bearer ${invalidTokens.TOKEN_EXPIRED}`,
    `Bearer ${invalidTokens.TOKEN_REVOKED}`,
    'Bearer nonsense',
    'Bearer cvn_nonsense',
    'Basic YTpi',
    'Bearer',
    '',
    `Bearer ${'x'.repeat(8_000)}`,
  ];

  it('has a body in this test', () => {
    expect(Object.keys(BODIES).toSorted()).toEqual(paths.map(([path]) => path).toSorted());
  });

  it.each(paths)('ignores every invalid Authorization header: %s (hasura#9650)', async (path, { method, success }) => {
    for (const authorization of bad()) {
      for (const body of BODIES[path] ?? []) {
        const { status, headers } = await new TestClient(service.url).send(method, path, {
          headers: { authorization },
          json: await body(),
        });
        expect([authorization, status, headers.has('www-authenticate')]).toEqual([authorization, success, false]);
      }
    }
  });

  it.each(['/', '/livez', '/readyz', '/problems', '/invitation', '/.well-known/jwks.json'])(
    'ignores the token: %s',
    async (path) => {
      for (const authorization of bad())
        expect([authorization, (await new TestClient(service.url).get(path, { authorization })).status]).toEqual([
          authorization,
          200,
        ]);
    },
  );
});
