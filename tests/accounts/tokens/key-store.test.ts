import { createPublicKey, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import config from '../../../mikro-orm.config.js';
import { ServerSecret } from '../../../src/accounts/secrets/server-secret.js';
import { AccessTokenService } from '../../../src/accounts/tokens/access-token-service.js';
import { generateSigningKeyPair, sealPrivateKey } from '../../../src/accounts/tokens/key-pair.js';
import {
  KEY_ACTIVATION_DELAY_MS,
  KEY_RELOAD_INTERVAL_MS,
  KEY_ROTATION_INTERVAL_MS,
} from '../../../src/accounts/tokens/key-rotation-policy.js';
import { loadKeyStore, startKeyReload, type KeyStore } from '../../../src/accounts/tokens/key-store.js';
import {
  ensureSigningKey,
  rotateSigningKey,
  type SigningKeyDeps,
} from '../../../src/accounts/tokens/rotate-signing-key.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { openDatabase, type Database } from '../../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

const SECRET = randomBytes(32);
const TTL_MS = 900_000;
const START = Date.parse('2026-03-01T12:00:00Z');
const PROCESSES = 8;
const UNKNOWN_KID = 'A'.repeat(43);

let testDatabase: TestDatabase;
let database: Database;
let now = START;
let deps: SigningKeyDeps;
/** How often the keys were read. */
let reads = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolSize: PROCESSES, orm: config, warn: () => undefined });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(() => {
  now = START;
  reads = 0;
  const counted: Database = {
    ...database,
    query: (statement, values) => {
      reads += 1;
      return database.query(statement, values);
    },
  };
  deps = {
    database: counted,
    serverSecret: new ServerSecret([SECRET]),
    clock: { now: () => new Date(now) },
    accessTokenTtlMs: TTL_MS,
  };
});

afterEach(async () => {
  await database.pool.query('delete from signing_key');
});

/** Connects the whole pool, so that no call of a race waits for a connection. */
async function openEveryConnection(): Promise<void> {
  const clients = await Promise.all(Array.from({ length: PROCESSES }, () => database.pool.connect()));
  for (const client of clients) client.release();
}

function pass(ms: number): void {
  now += ms;
}

function kidsOf(store: KeyStore): string[] {
  return store.jwks().keys.map(({ kid }) => kid);
}

async function storedKids(): Promise<string[]> {
  const result = await database.pool.query<{ kid: string }>('select kid from signing_key order by created_at');
  return result.rows.map(({ kid }) => kid);
}

function tokensOf(keys: KeyStore): AccessTokenService {
  const audience = 'https://convene.example';
  return new AccessTokenService({
    keys,
    clock: deps.clock,
    issuer: audience,
    acceptsIssuer: (issuer) => issuer === audience,
    audience,
    clientId: 'convene',
    ttlMs: TTL_MS,
  });
}

const SUBJECT = {
  userId: '0198c0de-0000-7000-8000-000000000001',
  sessionId: '0198c0de-0000-7000-8000-000000000002',
  roles: ['USER'],
} as const;

describe('first signing key', () => {
  it('is created when there is none, and signs immediately', async () => {
    const store = await loadKeyStore(deps);
    expect(await storedKids()).toEqual([store.signingKey().kid]);
    const { accessToken } = tokensOf(store).sign(SUBJECT);
    await expect(tokensOf(store).verify(accessToken)).resolves.toMatchObject({ sub: SUBJECT.userId });
  });

  it('is the same for eight processes that start concurrently', async () => {
    await openEveryConnection();
    const stores = await Promise.all(Array.from({ length: PROCESSES }, () => loadKeyStore(deps)));
    expect(await storedKids()).toHaveLength(1);
    expect(new Set(stores.map((store) => store.signingKey().kid)).size).toBe(1);
  });

  it('is reused by later starts', async () => {
    const first = await loadKeyStore(deps);
    const second = await loadKeyStore(deps);
    expect(second.signingKey().kid).toBe(first.signingKey().kid);
    await expect(tokensOf(second).verify(tokensOf(first).sign(SUBJECT).accessToken)).resolves.toBeDefined();
  });
});

describe('stored key', () => {
  it('is unusable without the server secret, and the start states it', async () => {
    const { kid } = (await loadKeyStore(deps)).signingKey();
    const stranger = { ...deps, serverSecret: new ServerSecret([randomBytes(32)]) };
    await expect(loadKeyStore(stranger)).rejects.toThrow(
      `Signing key ${kid} cannot be opened: SERVER_SECRET must list the secret`,
    );
  });

  it('opens with an older secret of the list', async () => {
    const { kid } = (await loadKeyStore(deps)).signingKey();
    const renewed = { ...deps, serverSecret: new ServerSecret([randomBytes(32), SECRET]) };
    expect((await loadKeyStore(renewed)).signingKey().kid).toBe(kid);
  });

  it('stops the start when its name is not that of its key', async () => {
    const pair = generateSigningKeyPair();
    await database.pool.query('insert into signing_key values ($1, $2, $3, now(), null)', [
      UNKNOWN_KID,
      pair.publicJwk,
      sealPrivateKey(deps.serverSecret, pair),
    ]);
    await expect(loadKeyStore(deps)).rejects.toThrow('has another thumbprint');
  });

  it('cannot be replaced by a writer of the table: the public half is not read from there', async () => {
    const store = await loadKeyStore(deps);
    await database.pool.query('update signing_key set public_jwk = $1', [generateSigningKeyPair().publicJwk]);
    const restarted = await loadKeyStore(deps);
    expect(restarted.jwks()).toEqual(store.jwks());
  });
});

describe('published keys', () => {
  it('have public members only and match the tokens', async () => {
    const store = await loadKeyStore(deps);
    const [jwk, ...others] = store.jwks().keys;
    expect(others).toEqual([]);
    expect(jwk).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: store.signingKey().kid,
      alg: 'ES256',
      use: 'sig',
    });
    expect(createPublicKey({ key: { ...jwk }, format: 'jwk' }).equals(store.signingKey().publicKey)).toBe(true);
  });

  it('are stored as they are published', async () => {
    const store = await loadKeyStore(deps);
    const result = await database.pool.query<{ public_jwk: unknown }>(
      'select public_jwk::text as public_jwk from signing_key',
    );
    expect(result.rows.map(({ public_jwk }) => JSON.parse(String(public_jwk)))).toEqual(store.jwks().keys);
  });
});

describe('rotation', () => {
  it('publishes the new key before it signs, and invalidates no token', async () => {
    const store = await loadKeyStore(deps);
    const old = store.signingKey().kid;
    const tokens = tokensOf(store);
    pass(5_000);
    const kid = await rotateSigningKey(deps);
    await store.reload();
    expect(kidsOf(store)).toEqual([old, kid]);
    expect(store.signingKey().kid).toBe(old);

    pass(KEY_ACTIVATION_DELAY_MS - 1);
    const last = tokens.sign(SUBJECT).accessToken;
    pass(1);
    expect(store.signingKey().kid).toBe(kid);
    pass(TTL_MS - 1_000);
    await expect(tokens.verify(last)).resolves.toBeDefined();
    expect(kidsOf(store)).toEqual([old, kid]);
  });

  it('removes the old key when its tokens have expired, and deletes it at the next rotation', async () => {
    const store = await loadKeyStore(deps);
    const { kid: old, publicKey } = store.signingKey();
    const second = await rotateSigningKey(deps);
    await store.reload();
    expect(store.isInForce(publicKey)).toBe(true);
    pass(KEY_ACTIVATION_DELAY_MS + TTL_MS + 120_000);
    expect([store.knownKey(old), store.isInForce(publicKey)]).toEqual([null, false]);
    expect(kidsOf(store)).toEqual([second]);
    const third = await rotateSigningKey(deps);
    expect(await storedKids()).toEqual([second, third]);
  });

  it('does not stop a start when an expired key was sealed with a dropped secret', async () => {
    await loadKeyStore(deps);
    const renewed = randomBytes(32);
    const kid = await rotateSigningKey({ ...deps, serverSecret: new ServerSecret([renewed, SECRET]) });
    const dropped = { ...deps, serverSecret: new ServerSecret([renewed]) };
    await expect(loadKeyStore(dropped)).rejects.toThrow('SERVER_SECRET');
    pass(KEY_ACTIVATION_DELAY_MS + TTL_MS + 120_000);
    expect((await loadKeyStore(dropped)).signingKey().kid).toBe(kid);
  });
});

describe('list of keys', () => {
  it('states the phase of each key from publication to removal', async () => {
    const store = await loadKeyStore(deps);
    const uses = (): string[] => store.list().map(({ use }) => use);
    expect(uses()).toEqual(['SIGNING']);
    pass(5_000);
    const kid = await store.rotate();
    expect(uses()).toEqual(['SIGNING', 'PUBLISHED']);
    expect(store.list().map((key) => key.kid)).toEqual(kidsOf(store));
    expect(kidsOf(store)[1]).toBe(kid);
    pass(KEY_ACTIVATION_DELAY_MS);
    expect(uses()).toEqual(['RETIRED', 'SIGNING']);
    pass(TTL_MS + 120_000);
    expect(uses()).toEqual(['SIGNING']);
  });
});

describe('key older than the rotation interval', () => {
  it('is succeeded by another after 90 days, and not before', async () => {
    const store = await loadKeyStore(deps);
    const first = store.signingKey().kid;
    pass(KEY_ROTATION_INTERVAL_MS - 1);
    await store.renew();
    expect(kidsOf(store)).toEqual([first]);
    pass(1);
    await store.renew();
    expect(kidsOf(store)).toHaveLength(2);
    expect(store.signingKey().kid).toBe(first);
    pass(KEY_ACTIVATION_DELAY_MS);
    expect(store.signingKey().kid).not.toBe(first);
    expect(KEY_ROTATION_INTERVAL_MS).toBe(90 * DAY_MS);
  });

  it('is succeeded by one key when several processes rotate concurrently', async () => {
    const stores = await Promise.all(Array.from({ length: PROCESSES }, () => loadKeyStore(deps)));
    await openEveryConnection();
    pass(KEY_ROTATION_INTERVAL_MS);
    await Promise.all(stores.map((store) => store.renew()));
    expect(await storedKids()).toHaveLength(2);
    expect(new Set(stores.map((store) => kidsOf(store).join())).size).toBe(1);
  });

  it('is counted from a manual rotation', async () => {
    const store = await loadKeyStore(deps);
    pass(KEY_ROTATION_INTERVAL_MS - 1);
    await rotateSigningKey(deps);
    pass(KEY_ROTATION_INTERVAL_MS - 1);
    await store.renew();
    expect(kidsOf(store)).toHaveLength(1);
  });

  it('is checked with one read and no transaction before that', async () => {
    const store = await loadKeyStore(deps);
    reads = 0;
    const connect = jest.spyOn(database.pool, 'connect');
    for (let round = 0; round < 10; round += 1) await store.renew();
    // Each read connects once, and a transaction would connect once more.
    expect([reads, connect.mock.calls.length]).toEqual([10, 10]);
    connect.mockRestore();
  });
});

describe('key of another process', () => {
  it('is loaded when its first token is verified', async () => {
    const store = await loadKeyStore(deps);
    const kid = await rotateSigningKey(deps);
    pass(1_000);
    expect(store.knownKey(kid)).toBeNull();
    await expect(store.findKey(kid)).resolves.not.toBeNull();
    expect(store.knownKey(kid)).not.toBeNull();
  });

  it('is queried at most once a second for unknown key ids', async () => {
    const store = await loadKeyStore(deps);
    pass(1_000);
    reads = 0;
    const found = await Promise.all(
      Array.from({ length: 200 }, (_, index) => store.findKey(String(index).padStart(43, 'k'))),
    );
    expect(found.every((key) => key === null)).toBe(true);
    await store.findKey(UNKNOWN_KID);
    expect(reads).toBe(1);
    pass(1_000);
    await store.findKey(UNKNOWN_KID);
    expect(reads).toBe(2);
  });

  it('is queried also after the clock was set back a day', async () => {
    const store = await loadKeyStore(deps);
    const kid = await rotateSigningKey(deps);
    pass(-DAY_MS);
    await expect(store.findKey(kid)).resolves.not.toBeNull();
  });

  it('is not queried for an impossible key id', async () => {
    const store = await loadKeyStore(deps);
    pass(1_000);
    reads = 0;
    for (const kid of ['', 'x', '../etc/passwd', `${UNKNOWN_KID}\0`, 'A'.repeat(44)])
      await expect(store.findKey(kid)).resolves.toBeNull();
    expect(reads).toBe(0);
  });

  it('invalidates its tokens when it is deleted, cached or not', async () => {
    const store = await loadKeyStore(deps);
    const tokens = tokensOf(store);
    const { accessToken } = tokens.sign(SUBJECT);
    await tokens.verify(accessToken);
    await database.pool.query('delete from signing_key');
    await ensureSigningKey(deps);
    await store.reload();
    await expect(tokens.verify(accessToken)).rejects.toMatchObject({ reason: 'TOKEN_INVALID' });
  });
});

describe('periodic reload of the keys', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('continues after a failure, which it reports, and ends when stopped', async () => {
    jest.useFakeTimers();
    const errors: unknown[] = [];
    let reloads = 0;
    const failure = new Error('away');
    const reload = (): Promise<void> => {
      reloads += 1;
      return reloads === 1 ? Promise.reject(failure) : Promise.resolve();
    };
    const reloading = startKeyReload({ renew: reload }, (error) => errors.push(error));
    await jest.advanceTimersByTimeAsync(2 * KEY_RELOAD_INTERVAL_MS);
    expect(reloads).toBe(2);
    expect(errors).toEqual([failure]);
    await reloading.stop();
    await jest.advanceTimersByTimeAsync(5 * KEY_RELOAD_INTERVAL_MS);
    expect(reloads).toBe(2);
  });
});
