import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateApiKeyParams } from '../../../src/accounts/api-keys/create-api-key.js';
import {
  API_KEY_SCOPES,
  authenticate,
  createApiKey,
  createApiKeyAsAdmin,
  listApiKeys,
  newId,
  OPERATOR,
  revokeApiKey,
  type CreatedApiKey,
  type UserActor,
} from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { createGroup } from '../../../src/groups/index.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { createAdminFixture, MATCHER, type AdminFixture } from '../administration/admin-fixture.js';

let fixture: AdminFixture;
let root: UserActor;
beforeAll(async () => {
  fixture = await createAdminFixture();
  root = await fixture.administrator();
});
afterAll(() => fixture.remove());

function make(input: Partial<CreateApiKeyParams>): Promise<CreatedApiKey> {
  return createApiKey(fixture.accounts, { ...MATCHER, ...input });
}

async function groupId(): Promise<string> {
  return (await createGroup(fixture.groups, await fixture.person(), { name: 'Choir' })).group.id;
}

function callerWith(secret: string): ReturnType<typeof authenticate> {
  return authenticate(fixture.accounts, [`Bearer ${secret}`]);
}

function unknown(count: number): string[] {
  return Array.from({ length: count }, newId);
}

describe('createApiKeyAsAdmin', () => {
  it.each<[string, Partial<CreateApiKeyParams>, string[]]>([
    ['without a name', { name: '' }, ['name']],
    ['with a name of white space', { name: ' ' }, ['name']],
    ['with a name that begins with white space', { name: ' matcher' }, ['name']],
    ['with a name of 81 characters', { name: 'x'.repeat(81) }, ['name']],
    ['with a name of two lines', { name: 'one\ntwo' }, ['name']],
    ['with an invisible character in its name', { name: 'match\u200ber' }, ['name']],
    ['with a name that turns its direction', { name: 'match\u202eer' }, ['name']],
    ['with an invisible name', { name: '\u3164' }, ['name']],
    ['with NUL in its name', { name: 'match\0er' }, ['name']],
    ['with half a character in its name', { name: 'match\ud800' }, ['name']],
    ['without a scope', { scopes: [] }, ['scopes']],
    ['for no group', { groupIds: [] }, ['groupIds']],
    ['for more than 1,000 groups', { groupIds: unknown(1_001) }, ['groupIds']],
    ['that ends now', { expiresAt: new Date('2026-03-01T12:00:00.000Z') }, ['expiresAt']],
    ['that ended', { expiresAt: new Date(0) }, ['expiresAt']],
    ['that ends at no time', { expiresAt: new Date(Number.NaN) }, ['expiresAt']],
    [
      'with everything wrong',
      { name: '', scopes: [], groupIds: [], expiresAt: new Date(0) },
      ['name', 'scopes', 'groupIds', 'expiresAt'],
    ],
  ])('rejects a key %s', async (_, input, fields) => {
    await expect(make(input)).rejects.toEqual(errorWithFields(...fields));
    await expect(createApiKeyAsAdmin(fixture.accounts, root, { ...MATCHER, ...input })).rejects.toEqual(
      errorWithFields(...fields),
    );
  });

  it('rejects unknown groups and names each by its index', async () => {
    const [known, missing] = [await groupId(), newId()];
    for (const by of [root, OPERATOR]) {
      await expect(
        createApiKeyAsAdmin(fixture.accounts, by, { ...MATCHER, groupIds: [missing, known, missing] }),
      ).rejects.toEqual(errorWithFields('groupIds.0', 'groupIds.2'));
    }
    await expect(make({ groupIds: unknown(1_000) })).rejects.toMatchObject({ fields: { length: 1_000 } });
  });

  it('stores names in NFC and accepts an expiry in 1 ms', async () => {
    const expiresAt = fixture.clock.in(1);
    const name = `Zoe\u0301's ${'\u{1f3ee}'.repeat(73)}`;
    const { apiKey } = await make({ name, expiresAt });
    expect(apiKey).toMatchObject({
      name: name.normalize('NFC'),
      expiresAt,
      createdAt: fixture.clock.now(),
      lastUsedAt: null,
    });
  });

  it('removes duplicates of scopes and groups', async () => {
    const [one, other] = [await groupId(), await groupId()];
    const { apiKey } = await make({
      scopes: ['groups:read', 'scores:write', 'groups:read'],
      groupIds: [one, other, one],
    });
    expect(apiKey).toMatchObject({ scopes: ['groups:read', 'scores:write'], groupIds: [one, other] });
  });

  it('stores the prefix and the hash of the secret, and nothing else of it', async () => {
    const { apiKey, secret } = await make({});
    expect(secret).toMatch(/^cvn_[\w-]{43}$/);
    expect(apiKey.prefix).toBe(secret.slice(0, 10));
    const [row] = await fixture.sql<{ row: string }>('select row::text from api_key as row where id = $1', [apiKey.id]);
    expect(row?.row).not.toContain(secret.slice(0, 11));
    expect((await make({})).secret).not.toBe(secret);
  });
});

describe('authenticate with an API key', () => {
  it('returns a service actor with the scopes and groups of the key', async () => {
    const id = await groupId();
    const { apiKey, secret } = await make({ name: 'kiosk', scopes: API_KEY_SCOPES, groupIds: [id] });
    expect(await callerWith(secret)).toEqual({
      kind: 'service',
      apiKeyId: apiKey.id,
      name: 'kiosk',
      scopes: API_KEY_SCOPES,
      groupIds: [id],
      expiresAt: null,
    });
  });

  it.each([
    ['another', (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`],
    ['a part', (secret: string) => secret.slice(0, -1)],
    ['its prefix', () => 'cvn_'],
  ])('rejects %s in place of the secret', async (_, change) => {
    const { secret } = await make({});
    expect(await callerWith(change(secret))).toMatchObject({
      kind: 'anonymous',
      authenticationError: { reason: 'TOKEN_INVALID' },
    });
  });

  it('rejects the key from the millisecond of its expiry', async () => {
    const { apiKey, secret } = await make({ expiresAt: fixture.clock.in(MINUTE_MS) });
    fixture.clock.advance(MINUTE_MS - 1);
    expect(await callerWith(secret)).toMatchObject({ kind: 'service' });
    fixture.clock.advance(1);
    expect(await callerWith(secret)).toMatchObject({
      kind: 'anonymous',
      authenticationError: { reason: 'TOKEN_EXPIRED', subject: { apiKeyId: apiKey.id } },
    });
  });

  it('rejects the key after one of several concurrent revocations', async () => {
    const {
      apiKey: { id },
      secret,
    } = await make({});
    expect(await callerWith(secret)).toMatchObject({ kind: 'service' });
    const responses = await Promise.allSettled(
      Array.from({ length: 4 }, () => revokeApiKey(fixture.accounts, root, id)),
    );
    expect(responses.filter(({ status }) => status === 'fulfilled')).toMatchObject([
      { value: { id, name: 'matcher' } },
    ]);
    expect(
      responses.flatMap((response) => (response.status === 'rejected' ? [response.reason as unknown] : [])),
    ).toEqual(Array(3).fill(errorWithReason('API_KEY_NOT_FOUND')));
    expect(await callerWith(secret)).toMatchObject({
      kind: 'anonymous',
      authenticationError: { reason: 'TOKEN_INVALID' },
    });
    expect((await listApiKeys(fixture.accounts, root)).map((key) => key.id)).not.toContain(id);
  });
});

describe('createApiKeyAsAdmin with an Idempotency-Key', () => {
  const createWithKey = (key: string, input = MATCHER) =>
    createApiKeyAsAdmin(fixture.accounts, root, input, { key, operation: 'createApiKey', actor: root, input });

  it('returns the same key and secret for the same request, and creates one key', async () => {
    const first = await createWithKey('same');
    const again = await createWithKey('same');
    expect([again.apiKey.id, again.secret]).toEqual([first.apiKey.id, first.secret]);
    await expect(createWithKey('same', { ...MATCHER, name: 'another' })).rejects.toEqual(
      errorWithReason('IDEMPOTENCY_KEY_REUSED'),
    );
  });

  it('creates one key for concurrent requests', async () => {
    const before = (await listApiKeys(fixture.accounts, root)).length;
    const responses = await Promise.allSettled(Array.from({ length: 4 }, () => createWithKey('at-once')));
    for (const response of responses)
      if (response.status === 'rejected') expect(response.reason).toEqual(errorWithReason('REQUEST_IN_PROGRESS'));
    expect(await listApiKeys(fixture.accounts, root)).toHaveLength(before + 1);
  });

  it('does not restore a key that was revoked since', async () => {
    const {
      apiKey: { id },
    } = await createWithKey('revoked');
    await revokeApiKey(fixture.accounts, root, id);
    await expect(createWithKey('revoked')).rejects.toEqual(errorWithReason('API_KEY_NOT_FOUND'));
  });
});
