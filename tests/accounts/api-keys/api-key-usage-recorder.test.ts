import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  ApiKeyUsageRecorder,
  authenticate,
  createApiKey,
  newId,
  OPERATOR,
  revokeApiKey,
} from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { createTestCore, type TestCore } from '../../support/service/test-core.js';

let fixture: TestCore;
let id: string;
let secret: string;
beforeAll(async () => {
  fixture = await createTestCore();
});
beforeEach(async () => {
  ({
    apiKey: { id },
    secret,
  } = await createApiKey(fixture.accounts, {
    name: 'matcher',
    scopes: ['groups:read'],
    groupIds: null,
    expiresAt: fixture.clock.in(60 * MINUTE_MS),
  }));
});
afterEach(() => {
  jest.restoreAllMocks();
  fixture.clock.advance(10 * MINUTE_MS);
});
afterAll(() => fixture.remove());

/** One process's view of when keys were used. */
function aProcess(
  onError: (error: unknown) => void = (error) => {
    throw error;
  },
): ApiKeyUsageRecorder {
  return new ApiKeyUsageRecorder(fixture.database, onError);
}

/** When it was last used, and the transaction that wrote it. */
async function written(): Promise<{ at: Date | null; by: string }> {
  const {
    rows: [row],
  } = await fixture.database.pool.query<{ at: string | null; by: string }>(
    'select last_used_at as at, xmin::text as by from api_key where id = $1',
    [id],
  );
  if (row === undefined) throw new Error('the key is gone');
  return { at: row.at === null ? null : new Date(row.at), by: row.by };
}

async function lastUsedAt(): Promise<Date | null> {
  return (await written()).at;
}

async function note(uses: ApiKeyUsageRecorder, afterMs = 0, key = id): Promise<void> {
  uses.record(key, fixture.clock.in(afterMs));
  await uses.flush();
}

describe('the last use of an API key', () => {
  it('is written when it is first used, and once a minute after that', async () => {
    const uses = aProcess();
    expect(await lastUsedAt()).toBeNull();
    const query = jest.spyOn(fixture.database.pool, 'query');
    await note(uses);
    for (const afterMs of [1, 30_000, MINUTE_MS - 1]) await note(uses, afterMs);
    expect(query).toHaveBeenCalledTimes(1);
    expect(await lastUsedAt()).toEqual(fixture.clock.now());
    await note(uses, MINUTE_MS);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(MINUTE_MS));
  });

  it('is one statement however many requests come at once', async () => {
    const query = jest.spyOn(fixture.database.pool, 'query');
    const uses = aProcess();
    for (let request = 0; request < 1_000; request += 1) uses.record(id, fixture.clock.now());
    await uses.flush();
    expect(query).toHaveBeenCalledTimes(1);
  });

  it('is written once a minute by all processes together', async () => {
    const [here, there] = [aProcess(), aProcess()];
    await note(here);
    const before = await written();
    await note(there, 30_000);
    await note(there, MINUTE_MS - 1);
    expect(await written()).toEqual(before);
    await note(here, MINUTE_MS);
    await note(there, MINUTE_MS + 30_001);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(MINUTE_MS));
  });

  it('never goes back, and goes on once a clock that was set back is where it was', async () => {
    const uses = aProcess();
    await note(uses);
    await note(uses, -5 * MINUTE_MS);
    expect(await lastUsedAt()).toEqual(fixture.clock.now());
    await note(uses, MINUTE_MS);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(MINUTE_MS));
  });

  it("is each key's own", async () => {
    const uses = aProcess();
    const first = id;
    await note(uses);
    ({
      apiKey: { id },
    } = await createApiKey(fixture.accounts, {
      name: 'other',
      scopes: ['groups:read'],
      groupIds: null,
      expiresAt: null,
    }));
    await note(uses, 1);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(1));
    id = first;
    expect(await lastUsedAt()).toEqual(fixture.clock.now());
  });

  it('that cannot be written is heard of, and hinders nobody', async () => {
    const heard: unknown[] = [];
    const uses = aProcess((error) => {
      heard.push(error);
    });
    await note(uses, 0, 'no id at all');
    expect(heard).toHaveLength(1);
    await note(uses, 0, newId());
    await note(uses);
    expect([heard.length, await lastUsedAt()]).toEqual([1, fixture.clock.now()]);
  });
});

describe('a request with an API key', () => {
  const come = async (): Promise<string> => {
    const { kind } = await authenticate(fixture.accounts, [`Bearer ${secret}`]);
    await fixture.accounts.apiKeyUsage.flush();
    return kind;
  };

  it('counts as a use, whatever comes of it', async () => {
    expect([await come(), await lastUsedAt()]).toEqual(['service', fixture.clock.now()]);
    fixture.clock.advance(MINUTE_MS - 1);
    expect([await come(), await lastUsedAt()]).toEqual([
      'service',
      new Date(fixture.clock.now().getTime() - MINUTE_MS + 1),
    ]);
    fixture.clock.advance(1);
    expect([await come(), await lastUsedAt()]).toEqual(['service', fixture.clock.now()]);
  });

  it('does not once the key has expired or is gone', async () => {
    fixture.clock.advance(60 * MINUTE_MS);
    expect([await come(), await lastUsedAt()]).toEqual(['anonymous', null]);
    await revokeApiKey(fixture.accounts, OPERATOR, id);
    expect(await come()).toBe('anonymous');
  });
});
