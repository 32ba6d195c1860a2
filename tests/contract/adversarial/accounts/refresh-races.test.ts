import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECOND_MS } from '../../../../src/async/durations.js';
import { TestClient } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { PASSWORD, registerUser } from '../../../support/service/test-users.js';
import { waitUntil } from '../../../support/wait-until.js';
import { startTwoProcesses, type TwoProcesses } from '../two-processes.js';

const TOKEN = '/api/auth/token';
const REVOKE = '/api/auth/revoke';
const REFRESH = 'mutation ($input: RefreshTokenInput!) { refreshToken(input: $input) { accessToken refreshToken } }';
const LOG_OUT = 'mutation ($input: RevokeTokenInput!) { revokeToken(input: $input) { revokedSessions } }';

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** A way to exchange a refresh token. Returns the reason when it is rejected. */
type RefreshTransport = (token: string) => Promise<Tokens | string>;

let processes: TwoProcesses;
let urls: readonly [string, string];
let transports: readonly RefreshTransport[];

beforeAll(async () => {
  processes = await startTwoProcesses({ hasher: FAKE_HASHER });
  urls = [processes.here.url, processes.there.url];
  transports = urls.flatMap((url) => [byJson(url), byForm(url), byGraphql(url)]);
  await registerUser(processes.here, 'ada');
});
afterAll(() => processes.remove());

interface RestTokens {
  readonly reason?: string;
  readonly access_token: string;
  readonly refresh_token: string;
}

function restTokens(body: unknown): Tokens | string {
  const { reason, access_token: access, refresh_token: refresh } = body as RestTokens;
  return reason ?? { access, refresh };
}

function byJson(url: string): RefreshTransport {
  return async (token) =>
    restTokens((await new TestClient(url).post(TOKEN, { grant_type: 'refresh_token', refresh_token: token })).body);
}

function byForm(url: string): RefreshTransport {
  return async (token) =>
    restTokens(
      (
        await new TestClient(url).send('POST', TOKEN, {
          body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
        })
      ).body,
    );
}

function byGraphql(url: string): RefreshTransport {
  return async (token) => {
    const { data, errors } = await new TestClient(url).graphql<{
      refreshToken: { accessToken: string; refreshToken: string };
    }>(REFRESH, { input: { refreshToken: token } });
    if (!data) return String(errors?.[0]?.extensions.reason);
    return { access: data.refreshToken.accessToken, refresh: data.refreshToken.refreshToken };
  };
}

async function logIn(): Promise<Tokens> {
  return granted(restTokens((await new TestClient(urls[0]).post(TOKEN, { username: 'ada', password: PASSWORD })).body));
}

function transportAt(index: number): RefreshTransport {
  return transports[index % transports.length]!;
}

function granted(outcome: Tokens | string): Tokens {
  if (typeof outcome === 'string') throw new Error(`refused: ${outcome}`);
  return outcome;
}

/** The reason why a process rejects an access token; null when it accepts it. */
async function rejectionReason(url: string, { access }: Tokens): Promise<string | null> {
  const { status, body } = await new TestClient(url, access).get('/api/auth/me');
  return status === 200 ? null : (body as { reason: string }).reason;
}

async function expectAlive(tokens: Tokens): Promise<void> {
  expect(await Promise.all(urls.map((url) => rejectionReason(url, tokens)))).toEqual([null, null]);
}

async function expectRevoked(tokens: Tokens): Promise<void> {
  for (const url of urls)
    await waitUntil(
      'the access token to be refused',
      async () => (await rejectionReason(url, tokens)) === 'TOKEN_REVOKED',
      SECOND_MS,
    );
}

describe('a refresh token', () => {
  it('has one working successor after 60 concurrent uses on two processes (directus#22360)', async () => {
    const { refresh } = await logIn();
    const outcomes = (await Promise.all(Array.from({ length: 60 }, (_, index) => transportAt(index)(refresh)))).map(
      granted,
    );
    const successors = new Set(outcomes.map((tokens) => tokens.refresh));
    expect(successors.size).toBe(1);
    expect(successors.has(refresh)).toBe(false);
    for (const index of transports.keys()) await expectAlive(outcomes[index]!);
    const next = (
      await Promise.all(Array.from({ length: 12 }, (_, index) => transportAt(index)(outcomes[index]!.refresh)))
    ).map(granted);
    expect(new Set(next.map((tokens) => tokens.refresh)).size).toBe(1);
    await expectAlive(next[0]!);
  });

  it('stays valid through many rounds of concurrent use', async () => {
    let { refresh } = await logIn();
    for (let round = 0; round < 10; round += 1) {
      const outcomes = (await Promise.all(transports.map((use) => use(refresh)))).map(granted);
      expect(new Set(outcomes.map((tokens) => tokens.refresh)).size).toBe(1);
      refresh = outcomes[0]!.refresh;
    }
  });

  it('is accepted again after a lost response, and so is its result (Infisical#5947)', async () => {
    for (const index of transports.keys()) {
      const first = await logIn();
      const lost = granted(await transportAt(index)(first.refresh));
      const again = granted(await transportAt(index + 1)(first.refresh));
      expect(again.refresh).toBe(lost.refresh);
      const third = granted(await transportAt(index + 2)(again.refresh));
      expect(granted(await transportAt(index + 3)(again.refresh)).refresh).toBe(third.refresh);
      await expectAlive(granted(await transportAt(index)(third.refresh)));
      await expectAlive(first);
    }
  });

  it('revokes the whole session when it is two generations old (supabase/auth#1901)', async () => {
    for (const index of transports.keys()) {
      const first = await logIn();
      const second = granted(await transportAt(index + 1)(first.refresh));
      const third = granted(await transportAt(index + 2)(second.refresh));
      expect(await transportAt(index)(first.refresh)).toBe('REFRESH_REUSED');
      for (const { refresh } of [first, second, third])
        expect(await transportAt(index + 3)(refresh)).toBe('REFRESH_INVALID');
      await Promise.all([first, second, third].map(expectRevoked));
    }
  });

  it('leaves no working token when it is replayed concurrently with its second successor', async () => {
    for (let time = 0; time < 20; time += 1) {
      const first = await logIn();
      const second = granted(await transportAt(time)(first.refresh));
      const third = granted(await transportAt(time)(second.refresh));
      const [stolen, fourth] = await Promise.all([
        transportAt(time)(first.refresh),
        transportAt(time + 4)(third.refresh),
      ]);
      expect(stolen).toBe('REFRESH_REUSED');
      const last = typeof fourth === 'string' ? third : fourth;
      if (typeof fourth === 'string') expect(fourth).toBe('REFRESH_INVALID');
      expect(await transportAt(time + 2)(last.refresh)).toBe('REFRESH_INVALID');
      await expectRevoked(last);
    }
  });
});

/** Every way to revoke a session while it is being refreshed. */
const LOGOUTS: readonly ((url: string, tokens: Tokens) => Promise<unknown>)[] = [
  (url, { refresh }) => new TestClient(url).post(REVOKE, { token: refresh }),
  (url, { access }) => new TestClient(url).send('POST', REVOKE, { body: new URLSearchParams({ token: access }) }),
  (url, { refresh }) => new TestClient(url).data(LOG_OUT, { input: { refreshToken: refresh } }),
  (url, { access }) => new TestClient(url, access).data(LOG_OUT, { input: {} }),
];

describe('a logout concurrent with a refresh', () => {
  it('leaves no working token in 100 runs over every transport (keycloak#51312)', async () => {
    const rounds = Array.from({ length: 100 }, (_, index) => async (): Promise<Tokens[]> => {
      const first = await logIn();
      // In every second run the session was refreshed before, and is revoked by its old token.
      const now = index % 2 === 0 ? first : granted(await transportAt(index)(first.refresh));
      const [outcome] = await Promise.all([
        transportAt(index)(now.refresh),
        LOGOUTS[index % LOGOUTS.length]!(urls[(index >> 2) % 2]!, first),
      ]);
      const got = typeof outcome === 'string' ? [] : [outcome];
      if (typeof outcome === 'string') expect(outcome).toBe('REFRESH_INVALID');
      for (const { refresh } of [first, now, ...got])
        expect(await transportAt(index + 1)(refresh)).toBe('REFRESH_INVALID');
      return [first, ...got];
    });
    // Ten concurrently, each of them a separate race.
    for (let from = 0; from < rounds.length; from += 10) {
      const left = await Promise.all(rounds.slice(from, from + 10).map((round) => round()));
      await Promise.all(left.flat().map(expectRevoked));
    }
  });

  it('revokes all sessions that the same user refreshes meanwhile when it revokes everywhere', async () => {
    for (let time = 0; time < 5; time += 1) {
      const sessions = await Promise.all(transports.map(() => logIn()));
      const [outcomes] = await Promise.all([
        Promise.all(sessions.map(({ refresh }, index) => transportAt(index)(refresh))),
        new TestClient(urls[1], sessions[0]!.access).data(LOG_OUT, { input: { everywhere: true } }),
      ]);
      const left = [...sessions, ...outcomes.filter((outcome) => typeof outcome !== 'string')];
      for (const [index, { refresh }] of left.entries())
        expect(await transportAt(index)(refresh)).toBe('REFRESH_INVALID');
      await Promise.all(left.map(expectRevoked));
    }
  });
});
