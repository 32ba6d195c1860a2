import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeKeyPair } from '../../../src/accounts/tokens/key-pair.js';
import { forgeries } from '../../accounts/tokens/forgeries.js';
import { type Forger, forgerOf } from '../../accounts/tokens/forger.js';
import { Client } from '../../support/client.js';
import { QUICK_HASHER } from '../../support/core.js';
import { fakeClock } from '../../support/fake-clock.js';
import { listen } from '../../support/feed.js';
import { ERROR, keptLog } from '../../support/log-lines.js';
import { groupOf, join, PASSWORD, type Person } from '../../support/people.js';
import { exchange, head } from '../../support/raw-http.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { startTestService, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';

const ME = '/api/auth/me';
const QUERY = '{ me { id } }';
/** What no header may hold, or no header is long enough for: those are refused before anybody looks for a token. */
const FITS_IN_A_HEADER = /^[\x21-\x7e]{0,8000}$/;

describe.each(['yoga', 'apollo'])('with %s, a token', (engine) => {
  const clock = fakeClock();
  const mailer = new RecordingMailer();
  const { log, lines } = keptLog();
  let service: TestService;
  let ada: Person;
  let groupId: string;
  let forger: Forger;

  beforeAll(async () => {
    service = await startTestService({ clock, mailer, log, hasher: QUICK_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    ada = await join(service, 'ada');
    groupId = await groupOf(ada);
    const { iss, aud, sid, iat, exp } = await service.accounts.accessTokens.verify(ada.token);
    forger = forgerOf({ pair: service.keys.signingKey(), issuer: iss, audience: aud, userId: ada.id, sessionId: sid, iat, ttlSeconds: exp - iat });
  });
  afterAll(() => service.remove());

  /** Why each door refuses a token; null where it lets it in. */
  async function reasons(token: string): Promise<(string | null)[]> {
    const client = new Client(service.url, token);
    const feed = await listen(service, token, groupId, { afterRevision: 0 });
    await Promise.race([feed.ended, feed.heard(1).catch(() => undefined)]);
    feed.leave();
    const rest = await client.get(ME);
    const post = await client.graphql(QUERY);
    const get = await client.get(`/graphql?${new URLSearchParams({ query: QUERY }).toString()}`);
    const { errors } = get.body as { errors?: { extensions: { reason: string } }[] };
    if (rest.status !== 200) expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    if (post.errors !== undefined) expect([post.status, post.errors[0]?.extensions.code]).toEqual([200, 'UNAUTHENTICATED']);
    return [
      rest.status === 200 ? null : (rest.body as { reason: string }).reason,
      (post.errors?.[0]?.extensions.reason ?? null) as string | null,
      errors?.[0]?.extensions.reason ?? null,
      (feed.reasons[0] ?? null) as string | null,
    ];
  }

  const ALL = (reason: string | null): (string | null)[] => [reason, reason, reason, reason];

  it('that is made by hand as the service makes them opens every door, which shows that the others fail for what is wrong with them', async () => {
    expect(await reasons(forger.forge(forger.header, forger.claims))).toEqual(ALL(null));
  });

  it('that is forged opens none, whatever is wrong with it (node-jsonwebtoken#13)', async () => {
    const tried = forgeries(forger, makeKeyPair()).filter(([, token]) => FITS_IN_A_HEADER.test(token));
    expect(tried.length).toBeGreaterThan(85);
    for (const [what, token] of tried) expect([what, ...(await reasons(token))]).toEqual([what, ...ALL('TOKEN_INVALID')]);
  });

  it('that no header can hold gets no further than that', async () => {
    for (const token of forgeries(forger, makeKeyPair()).map(([, forged]) => forged).filter((forged) => !FITS_IN_A_HEADER.test(forged))) {
      const answer = await exchange(service.url, head(`GET ${ME} HTTP/1.1`, 'Host: convene', 'Connection: close', `Authorization: Bearer ${token.slice(0, 20_000)}`));
      // White space around a header is no part of it.
      if (token.trimEnd() !== token) expect(answer).toMatch(/^HTTP\/1\.1 (200|400) /);
      else expect(answer).toMatch(/^HTTP\/1\.1 (400|431) /);
    }
  });

  it('of another kind opens none: each is good for one thing', async () => {
    await new Client(service.url).post('/api/auth/register', { username: 'grace', password: PASSWORD, email: 'grace@example.org' });
    await until('the mail', () => mailer.sent.some(({ to }) => to === 'grace@example.org'));
    const login = await new Client(service.url).post('/api/auth/token', { username: 'ada', password: PASSWORD });
    const { refresh_token: refresh } = login.body as { refresh_token: string };
    const proof = mailer.secretTo('grace@example.org');
    for (const token of [refresh, refresh.replace('cvr_', ''), proof, service.keys.signingKey().kid, ada.id]) expect(await reasons(token)).toEqual(ALL('TOKEN_INVALID'));
    const secrets = [ada.token, refresh, refresh.replace('cvr_', ''), ada.id];
    const inputs = [
      ...secrets.flatMap((secret) => [['verifyEmail', { secret }], ['resetPassword', { secret, newPassword: 'nine loud lanterns' }], ['claimInvitation', { secret }]] as const),
      ...[ada.token, proof].map((refreshToken) => ['refreshToken', { refreshToken }] as const),
      ['resetPassword', { secret: proof, newPassword: 'nine loud lanterns' }] as const, ['claimInvitation', { secret: proof }] as const,
    ];
    for (const [name, input] of inputs) {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const { errors } = await ada.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, { input });
      expect([name, errors?.[0]?.extensions.reason]).toEqual([name, { verifyEmail: 'SECRET_INVALID', resetPassword: 'SECRET_INVALID', claimInvitation: 'INVITATION_NOT_FOUND', refreshToken: 'REFRESH_INVALID' }[name]]);
    }
    expect(await reasons(ada.token)).toEqual(ALL(null));
  });

  it('of somebody who is not there, or of a session of somebody else, opens no more than its signature is worth', async () => {
    const { header, claims, forge } = forger;
    // Only who has the signing key can make these. Nobody is found behind the first.
    expect((await reasons(forge(header, { ...claims, sub: claims.jti })))[0]).toBe('TOKEN_REVOKED');
    expect(await reasons(forge(header, { ...claims, roles: ['USER', 'ADMIN'] }))).toEqual(ALL(null));
    const { errors } = await new Client(service.url, forge(header, { ...claims, roles: ['USER', 'ADMIN'] })).graphql('{ apiKeys { id } }');
    expect(errors?.[0]?.extensions.reason).toBe('ADMIN_REQUIRED');
  });

  it('was no bug to the service, and is in no line of its log', () => {
    expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain(ada.token.split('.')[2]);
  });
});
