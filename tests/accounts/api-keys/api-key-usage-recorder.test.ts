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
function createRecorder(
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

async function note(recorder: ApiKeyUsageRecorder, afterMs = 0, key = id): Promise<void> {
  recorder.record(key, fixture.clock.in(afterMs));
  await recorder.flush();
}

describe('ApiKeyUsageRecorder', () => {
  it('writes the first use, and later uses once a minute', async () => {
    const recorder = createRecorder();
    expect(await lastUsedAt()).toBeNull();
    const query = jest.spyOn(fixture.database.pool, 'query');
    await note(recorder);
    for (const afterMs of [1, 30_000, MINUTE_MS - 1]) await note(recorder, afterMs);
    expect(query).toHaveBeenCalledTimes(1);
    expect(await lastUsedAt()).toEqual(fixture.clock.now());
    await note(recorder, MINUTE_MS);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(MINUTE_MS));
  });

  it('runs one statement for 1,000 concurrent requests', async () => {
    const query = jest.spyOn(fixture.database.pool, 'query');
    const recorder = createRecorder();
    for (let request = 0; request < 1_000; request += 1) recorder.record(id, fixture.clock.now());
    await recorder.flush();
    expect(query).toHaveBeenCalledTimes(1);
  });

  it('writes once a minute across processes', async () => {
    const [here, there] = [createRecorder(), createRecorder()];
    await note(here);
    const before = await written();
    await note(there, 30_000);
    await note(there, MINUTE_MS - 1);
    expect(await written()).toEqual(before);
    await note(here, MINUTE_MS);
    await note(there, MINUTE_MS + 30_001);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(MINUTE_MS));
  });

  it('never moves the time back, and continues when a clock that was set back has caught up', async () => {
    const recorder = createRecorder();
    await note(recorder);
    await note(recorder, -5 * MINUTE_MS);
    expect(await lastUsedAt()).toEqual(fixture.clock.now());
    await note(recorder, MINUTE_MS);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(MINUTE_MS));
  });

  it('records each key separately', async () => {
    const recorder = createRecorder();
    const first = id;
    await note(recorder);
    ({
      apiKey: { id },
    } = await createApiKey(fixture.accounts, {
      name: 'other',
      scopes: ['groups:read'],
      groupIds: null,
      expiresAt: null,
    }));
    await note(recorder, 1);
    expect(await lastUsedAt()).toEqual(fixture.clock.in(1));
    id = first;
    expect(await lastUsedAt()).toEqual(fixture.clock.now());
  });

  it('reports a failed write and continues with other keys', async () => {
    const errors: unknown[] = [];
    const recorder = createRecorder((error) => {
      errors.push(error);
    });
    await note(recorder, 0, 'no id at all');
    expect(errors).toHaveLength(1);
    await note(recorder, 0, newId());
    await note(recorder);
    expect([errors.length, await lastUsedAt()]).toEqual([1, fixture.clock.now()]);
  });
});

describe('authenticate with an API key', () => {
  const authenticateWithKey = async (): Promise<string> => {
    const { kind } = await authenticate(fixture.accounts, [`Bearer ${secret}`]);
    await fixture.accounts.apiKeyUsage.flush();
    return kind;
  };

  it('records the use, whatever the outcome of the request', async () => {
    expect([await authenticateWithKey(), await lastUsedAt()]).toEqual(['service', fixture.clock.now()]);
    fixture.clock.advance(MINUTE_MS - 1);
    expect([await authenticateWithKey(), await lastUsedAt()]).toEqual([
      'service',
      new Date(fixture.clock.now().getTime() - MINUTE_MS + 1),
    ]);
    fixture.clock.advance(1);
    expect([await authenticateWithKey(), await lastUsedAt()]).toEqual(['service', fixture.clock.now()]);
  });

  it('records no use of an expired or revoked key', async () => {
    fixture.clock.advance(60 * MINUTE_MS);
    expect([await authenticateWithKey(), await lastUsedAt()]).toEqual(['anonymous', null]);
    await revokeApiKey(fixture.accounts, OPERATOR, id);
    expect(await authenticateWithKey()).toBe('anonymous');
  });
});
