import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { comparableHead, TestClient, type TestResponse } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerUser } from '../../support/service/test-users.js';

const ROUNDS = 200;
const TOLERANCE = 0.1;
/** Noise does not occur three times in sequence. A difference in the code does. */
const MEASUREMENTS = 3;
const WITHOUT_END = '100000/1h';

const USERNAMES = {
  unknown: 'nobody-at-all',
  known: 'somebody',
  disabled: 'somebody-else',
  deleted: 'somebody-gone',
  seeded: 'somebody-seeded',
};
type Kind = keyof typeof USERNAMES;
const KINDS = ['unknown', 'known', 'disabled', 'deleted', 'seeded'] as const;

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    settings: {
      RATE_LIMITS: 'on',
      LIMIT_LOGIN: WITHOUT_END,
      LIMIT_LOGIN_ADDRESS: WITHOUT_END,
      LIMIT_LOGIN_NAME: WITHOUT_END,
    },
  });
  await registerUser(service, USERNAMES.known);
  await registerUser(service, USERNAMES.disabled);
  await registerUser(service, USERNAMES.seeded);
  const gone = await registerUser(service, USERNAMES.deleted);
  await gone.data('mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }', {
    input: { password: PASSWORD },
  });
  await service.database.pool.query('update account set disabled_at = now() where username = $1', [USERNAMES.disabled]);
  await service.database.pool.query(`update account set password_hash = 'none' where username = $1`, [
    USERNAMES.seeded,
  ]);
});
afterAll(() => service.remove());

function fail(kind: Kind, password = 'not the password'): Promise<TestResponse> {
  return new TestClient(service.url).post('/api/auth/token', { username: USERNAMES[kind], password });
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

/**
 * The median time of each kind of failure, in milliseconds. Each round tries every kind once, in a different order, so
 * that other load affects all kinds alike. A median ignores single spikes.
 */
async function measure(): Promise<Record<Kind, number>> {
  const times: Record<Kind, number[]> = { unknown: [], known: [], disabled: [], deleted: [], seeded: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of shuffled(KINDS)) {
      const startedAt = performance.now();
      await fail(kind);
      times[kind].push(performance.now() - startedAt);
    }
  }
  return {
    unknown: median(times.unknown),
    known: median(times.known),
    disabled: median(times.disabled),
    deleted: median(times.deleted),
    seeded: median(times.seeded),
  };
}

function spread(medians: Record<Kind, number>): number {
  const values = Object.values(medians);
  return Math.max(...values) / Math.min(...values) - 1;
}

describe('a failed login', () => {
  it('returns one response for unknown, disabled or deleted users and wrong passwords', async () => {
    const responses = await Promise.all([
      ...KINDS.map((kind) => fail(kind)),
      fail('disabled', PASSWORD),
      fail('deleted', PASSWORD),
    ]);
    const [first, ...others] = responses.map(({ status, headers, body }) => ({
      status,
      headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')),
      body: { ...(body as object), request_id: null },
    }));
    expect(first).toMatchObject({ status: 401, body: { reason: 'WRONG_CREDENTIALS' } });
    for (const other of others) expect(other).toEqual(first);
  });

  it('returns the same response over GraphQL', async () => {
    const document = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }';
    const tries = [
      ...KINDS.map((kind) => [kind, 'not the password'] as const),
      ['disabled', PASSWORD] as const,
      ['deleted', PASSWORD] as const,
    ];
    const responses = await Promise.all(
      tries.map(([kind, password]) =>
        new TestClient(service.url).graphql(document, { input: { username: USERNAMES[kind], password } }),
      ),
    );
    const [first, ...others] = responses.map(({ status, headers, text }) => [
      comparableHead({ status, headers }),
      JSON.parse(text.replace(headers.get('x-request-id') ?? '', '')),
    ]);
    expect(first?.[1]).toMatchObject({ errors: [{ extensions: { reason: 'WRONG_CREDENTIALS' } }] });
    for (const other of others) expect(other).toEqual(first);
  });

  it('takes the same time for each kind of failure', async () => {
    let medians = await measure();
    for (let repeat = 1; repeat < MEASUREMENTS && spread(medians) > TOLERANCE; repeat += 1) medians = await measure();
    // The message of a failure contains the medians.
    expect({ ...medians, isEven: spread(medians) <= TOLERANCE }).toEqual({ ...medians, isEven: true });
  }, 300_000);
});
