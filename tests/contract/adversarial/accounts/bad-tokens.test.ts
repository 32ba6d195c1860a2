import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSigningKeyPair } from '../../../../src/accounts/tokens/key-pair.js';
import { buildGraphqlSchema } from '../../../../src/graphql/schema.js';
import { forgeries } from '../../../accounts/tokens/forgeries.js';
import { createTokenForger, type TokenForger } from '../../../accounts/tokens/token-forger.js';
import { createCapturingLogger, ERROR } from '../../../support/capturing-logger.js';
import { fakeClock } from '../../../support/fake-clock.js';
import { requestHead, sendRawRequest } from '../../../support/http/raw-http.js';
import { TestClient, type GraphqlResponse } from '../../../support/http/test-client.js';
import { subscribe } from '../../../support/http/test-subscription.js';
import { RecordingMailer } from '../../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../support/service/test-users.js';
import { waitUntil } from '../../../support/wait-until.js';
import { documentOf, OPERATIONS, type OperationFixture, type OperationName } from '../../operations.js';

const ME = '/api/auth/me';
const QUERY = '{ me { id } }';
/** Values that no header can hold, or that exceed the header limit. They are rejected before authentication. */
const FITS_IN_A_HEADER = /^[\x21-\x7e]{0,8000}$/;

const schema = buildGraphqlSchema();
const TTL_MS = 900_000;
const TOLERANCE_MS = 30_000;

/** Operations that need no token, by the schema. New ones are tested automatically. */
const PUBLIC = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => fieldOf(name)?.extensions.public === true);

function fieldOf(name: OperationName) {
  return (OPERATIONS[name].kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[name];
}

function documentFor(name: OperationName): string {
  return documentOf(
    name,
    Object.fromEntries((fieldOf(name)?.args ?? []).map((argument) => [argument.name, String(argument.type)])),
  );
}

describe.each(['yoga', 'apollo'])('token checks with %s', (engine) => {
  const clock = fakeClock();
  const mailer = new RecordingMailer();
  const { log, lines } = createCapturingLogger();
  let service: TestService;
  let ada: TestUser;
  let forger: TokenForger;
  let fixtureCount = 0;
  let fixture: OperationFixture;
  /** Every invalid Authorization header, by description. */
  let stale: Readonly<Record<string, string>>;

  beforeAll(async () => {
    service = await startTestService({ clock, mailer, log, hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    const expired = await registerUser(service);
    clock.advance(TTL_MS + TOLERANCE_MS);
    ada = await registerUser(service, 'ada');
    const loggedOut = await registerUser(service);
    await loggedOut.data('mutation { revokeToken(input: {}) { revokedSessions } }');
    const [memberId = ''] = await insertAccounts(service, 1);
    fixture = {
      groupId: await createGroupViaApi(ada, [{ id: memberId }]),
      owner: ada,
      member: { id: memberId },
      stranger: { username: 'ada' },
      freeName: '',
      newAddress: '',
    };
    const [headerPart, claimsPart] = ada.token.split('.');
    stale = {
      TOKEN_EXPIRED: `Bearer ${expired.token}`,
      TOKEN_REVOKED: `Bearer ${loggedOut.token}`,
      unsigned: `Bearer ${String(headerPart)}.${String(claimsPart)}.`,
      nonsense: 'Bearer nonsense',
      'an unknown key': 'Bearer cvn_nonsense',
      'another scheme': 'Basic YWRhOmFkYQ==',
      'no scheme': 'nonsense',
      two: `Bearer ${ada.token}, Bearer ${ada.token}`,
      nothing: 'Bearer',
      'an empty header': '',
      'text beyond ASCII': 'Bearer t\u00f6ken',
      'a very long one': `Bearer ${'x'.repeat(8_000)}`,
    };
    const { iss, aud, sid, iat, exp } = await service.accounts.accessTokens.verify(ada.token);
    forger = createTokenForger({
      pair: service.keys.signingKey(),
      issuer: iss,
      audience: aud,
      userId: ada.id,
      sessionId: sid,
      iat,
      ttlSeconds: exp - iat,
    });
  });
  afterAll(() => service.remove());

  /** The error reason of each transport for a token; null where the token is accepted. */
  async function reasons(token: string): Promise<(string | null)[]> {
    const client = new TestClient(service.url, token);
    const feed = await subscribe(service, token, fixture.groupId, { afterRevision: 0 });
    await Promise.race([feed.ended, feed.waitForChanges(1).catch(() => undefined)]);
    feed.disconnect();
    const rest = await client.get(ME);
    const post = await client.graphql(QUERY);
    const get = await client.get(`/graphql?${new URLSearchParams({ query: QUERY }).toString()}`);
    const { errors } = get.body as { errors?: { extensions: { reason: string } }[] };
    if (rest.status !== 200)
      expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    if (post.errors !== undefined)
      expect([post.status, post.errors[0]?.extensions.code]).toEqual([200, 'UNAUTHENTICATED']);
    return [
      rest.status === 200 ? null : (rest.body as { reason: string }).reason,
      (post.errors?.[0]?.extensions.reason ?? null) as string | null,
      errors?.[0]?.extensions.reason ?? null,
      (feed.reasons[0] ?? null) as string | null,
    ];
  }

  const ALL = (reason: string | null): (string | null)[] => [reason, reason, reason, reason];

  async function newRefreshToken(): Promise<string> {
    const { body } = await new TestClient(service.url).post('/api/auth/token', { username: 'ada', password: PASSWORD });
    return (body as { refresh_token: string }).refresh_token;
  }

  /** The input with which the operation succeeds, where that is possible without a mail. */
  async function variablesFor(name: OperationName): Promise<Readonly<Record<string, unknown>>> {
    fixtureCount += 1;
    if (name === 'refreshToken' || name === 'revokeToken') return { input: { refreshToken: await newRefreshToken() } };
    return OPERATIONS[name].variables({ ...fixture, freeName: `newcomer-${fixtureCount}` });
  }

  const outcomeOf = ({ status, errors, data }: GraphqlResponse): unknown[] => [
    status,
    errors?.map(({ extensions: { code, reason } }) => [code, reason]),
    data === null || data === undefined ? data : Object.keys(data),
  ];

  describe('an access token', () => {
    it('is accepted on every transport when signed by hand exactly as the service signs it', async () => {
      expect(await reasons(forger.forge(forger.header, forger.claims))).toEqual(ALL(null));
    });

    it('is rejected when forged, whatever is wrong with it (node-jsonwebtoken#13)', async () => {
      const tried = forgeries(forger, generateSigningKeyPair()).filter(([, token]) => FITS_IN_A_HEADER.test(token));
      expect(tried.length).toBeGreaterThan(85);
      for (const [what, token] of tried)
        expect([what, ...(await reasons(token))]).toEqual([what, ...ALL('TOKEN_INVALID')]);
    });

    it('is rejected by the HTTP layer when no header can hold it', async () => {
      for (const token of forgeries(forger, generateSigningKeyPair())
        .map(([, forged]) => forged)
        .filter((forged) => !FITS_IN_A_HEADER.test(forged))) {
        const response = await sendRawRequest(
          service.url,
          requestHead(
            `GET ${ME} HTTP/1.1`,
            'Host: convene',
            'Connection: close',
            `Authorization: Bearer ${token.slice(0, 20_000)}`,
          ),
        );
        // White space around a header is not part of its value.
        if (token.trimEnd() !== token) expect(response).toMatch(/^HTTP\/1\.1 (200|400) /);
        else expect(response).toMatch(/^HTTP\/1\.1 (400|431) /);
      }
    });

    it('is rejected when it is a token of another kind', async () => {
      await new TestClient(service.url).post('/api/auth/register', {
        username: 'grace',
        password: PASSWORD,
        email: 'grace@example.org',
      });
      await waitUntil('the mail', () => mailer.sent.some(({ to }) => to === 'grace@example.org'));
      const login = await new TestClient(service.url).post('/api/auth/token', { username: 'ada', password: PASSWORD });
      const { refresh_token: refresh } = login.body as { refresh_token: string };
      const proof = mailer.secretTo('grace@example.org');
      for (const token of [refresh, refresh.replace('cvr_', ''), proof, service.keys.signingKey().kid, ada.id])
        expect(await reasons(token)).toEqual(ALL('TOKEN_INVALID'));
      const secrets = [ada.token, refresh, refresh.replace('cvr_', ''), ada.id];
      const inputs = [
        ...secrets.flatMap(
          (secret) =>
            [
              ['verifyEmail', { secret }],
              ['resetPassword', { secret, newPassword: 'nine loud lanterns' }],
              ['claimInvitation', { secret }],
            ] as const,
        ),
        ...[ada.token, proof].map((refreshToken) => ['refreshToken', { refreshToken }] as const),
        ['resetPassword', { secret: proof, newPassword: 'nine loud lanterns' }] as const,
        ['claimInvitation', { secret: proof }] as const,
      ];
      for (const [name, input] of inputs) {
        const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
        const { errors } = await ada.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, {
          input,
        });
        expect([name, errors?.[0]?.extensions.reason]).toEqual([
          name,
          {
            verifyEmail: 'SECRET_INVALID',
            resetPassword: 'SECRET_INVALID',
            claimInvitation: 'INVITATION_NOT_FOUND',
            refreshToken: 'REFRESH_INVALID',
          }[name],
        ]);
      }
      expect(await reasons(ada.token)).toEqual(ALL(null));
    });

    it("grants no more than its signature proves for an unknown account or another user's session", async () => {
      const { header, claims, forge } = forger;
      // Only the holder of the signing key can make these tokens. No account is found for the first.
      expect((await reasons(forge(header, { ...claims, sub: claims.jti })))[0]).toBe('TOKEN_REVOKED');
      expect(await reasons(forge(header, { ...claims, roles: ['USER', 'ADMIN'] }))).toEqual(ALL(null));
      const { errors } = await new TestClient(
        service.url,
        forge(header, { ...claims, roles: ['USER', 'ADMIN'] }),
      ).graphql('{ apiKeys { id } }');
      expect(errors?.[0]?.extensions.reason).toBe('ADMIN_REQUIRED');
    });
  });

  describe('an invalid Authorization header', () => {
    it.each(PUBLIC)('changes no result of the public operation %s (hasura#9650)', async (name) => {
      const expected = outcomeOf(
        await new TestClient(service.url).graphql(documentFor(name), await variablesFor(name)),
      );
      for (const [what, authorization] of Object.entries(stale)) {
        expect([
          what,
          ...outcomeOf(
            await new TestClient(service.url).graphql(documentFor(name), await variablesFor(name), { authorization }),
          ),
        ]).toEqual([what, ...expected]);
      }
    });

    it('returns an error only for fields that need a token (graphile/crystal#1847)', async () => {
      for (const [what, authorization] of Object.entries(stale)) {
        const client = new TestClient(service.url);
        const reason = what.startsWith('TOKEN_') ? what : 'TOKEN_INVALID';
        const rest = await client.get('/api/auth/me', { authorization });
        expect([
          what,
          rest.status,
          (rest.body as { reason: unknown }).reason,
          rest.headers.get('www-authenticate'),
        ]).toEqual([what, 401, reason, 'Bearer error="invalid_token"']);
        for (const document of [
          '{ me { id } }',
          '{ __typename me { id } invitation(secret: "nonsense") { groupName } }',
          `mutation { createGroup(input: {name: "Late"}) { group { id } } }`,
          'query { ...A } fragment A on Query { me { id } }',
        ]) {
          for (const accept of ['application/json', 'application/graphql-response+json']) {
            const { status, data, errors } = await client.graphql(document, {}, { authorization, accept });
            expect([what, status, data, errors?.[0]?.extensions.code, errors?.[0]?.extensions.reason]).toEqual([
              what,
              200,
              null,
              'UNAUTHENTICATED',
              reason,
            ]);
            expect(errors).toHaveLength(1);
          }
        }
        expect(
          (await client.graphql('{ __typename __schema { queryType { name } } }', {}, { authorization })).data,
        ).toEqual({ __typename: 'Query', __schema: { queryType: { name: 'Query' } } });
        expect(
          (await client.graphql('query ($id: UUID!) { group(id: $id) { id } }', { id: 'nonsense' }, { authorization }))
            .errors?.[0]?.extensions.reason,
        ).toBe(reason);
      }
    });

    it('starts no stream', async () => {
      for (const what of ['TOKEN_EXPIRED', 'TOKEN_REVOKED'] as const) {
        const feed = await subscribe(service, stale[what]?.replace('Bearer ', '') ?? '', fixture.groupId, {
          afterRevision: 0,
        });
        expect(await feed.ended).toBe('complete');
        expect([feed.changes, feed.reasons]).toEqual([[], [what]]);
      }
    });
  });

  it('accepts a token with every spelling of the scheme, in queries and streams', async () => {
    for (const authorization of [`bearer ${ada.token}`, `BEARER ${ada.token}`, `BeArEr    ${ada.token}`]) {
      expect((await new TestClient(service.url).graphql('{ me { id } }', {}, { authorization })).data).toEqual({
        me: { id: ada.id },
      });
      const { text } = await new TestClient(service.url).post(
        '/graphql',
        { query: '{ me { id } }' },
        { authorization, accept: 'text/event-stream' },
      );
      expect(text).toContain(ada.id);
    }
  });

  it('causes no unexpected error and writes nothing', async () => {
    expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain(ada.token.split('.')[2]);
    expect((await service.database.pool.query('select 1 from groups')).rowCount).toBe(1);
  });
});
