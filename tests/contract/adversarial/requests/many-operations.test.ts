import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestClient, type GraphqlResponse } from '../../../support/http/test-client.js';
import { measureBusyMs } from '../../../support/measure-busy-ms.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import { PASSWORD, registerUser, type TestUser } from '../../../support/service/test-users.js';

const WRONG = 'not the password';
const QUOTA = 10;
/** Four logins from one address run concurrently, so that many may be in flight when the limit is reached. */
const MOST_BEYOND = 3;
const REGISTRATIONS = 5;
const NEW = 'application/graphql-response+json';

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

type Written = readonly [document: string, variables?: Readonly<Record<string, unknown>>];

/** Ways to write the same field many times in one document. `field` returns the field with its own alias. */
const WAYS: Readonly<Record<string, (fields: readonly string[]) => string>> = {
  'one beside another': (fields) => `mutation { ${fields.join(' ')} }`,
  'in a fragment': (fields) => `mutation { ...A } fragment A on Mutation { ${fields.join(' ')} }`,
  'in fragments within fragments': (fields) =>
    `mutation { ...F0 } ${fields
      .map((field, index) => {
        const next = index + 1 < fields.length ? `...F${index + 1}` : '';
        return `fragment F${index} on Mutation { ${field} ${next} }`;
      })
      .join(' ')}`,
  'in fragments that are spread often': (fields) =>
    `mutation { ${fields.map(() => '...A').join(' ')} } fragment A on Mutation { ${fields.join(' ')} }`,
  'behind conditions': (fields) =>
    `mutation ($yes: Boolean = true, $no: Boolean = false) { ${fields
      .map((field, index) =>
        index % 2 === 0 ? `... @include(if: $yes) { ${field} }` : `... on Mutation @skip(if: $no) { ${field} }`,
      )
      .join(' ')} }`,
};

describe.each(['yoga', 'apollo'])('many operations in one request with %s', (engine) => {
  let service: TestService;
  let ada: TestUser;
  /** The passwords that were verified. */
  let tried = 0;
  const hasher = {
    ...FAKE_HASHER,
    verify: (hash: string | null, password: string) => {
      tried += 1;
      return FAKE_HASHER.verify(hash, password);
    },
  };

  beforeAll(async () => {
    service = await startTestService({
      hasher,
      settings: {
        RATE_LIMITS: 'on',
        LIMIT_REGISTER: `${REGISTRATIONS}/1h`,
        TRUST_PROXY: 'loopback',
        GRAPHQL_ENGINE: engine,
      },
    });
    ada = await registerUser(service, 'ada');
  });
  beforeEach(async () => {
    await service.database.pool.query('truncate rate_limit, known_address');
    tried = 0;
  });
  afterAll(() => service.remove());

  function run(
    [query, variables = {}]: Written,
    by: TestClient = new TestClient(service.url),
    from = '203.0.113.1',
  ): Promise<GraphqlResponse> {
    return by.graphql(query, variables, { 'x-forwarded-for': from, accept: NEW });
  }

  function logIn(password: string, from: string, username = 'ada'): Promise<{ status: number; headers: Headers }> {
    return new TestClient(service.url).post('/api/auth/token', { username, password }, { 'x-forwarded-for': from });
  }

  const login = (index: number, username = 'ada'): string =>
    `l${index}: issueToken(input: {username: "${username}", password: "${WRONG}"}) { expiresIn }`;
  const registration = (name: string, index: number): string =>
    `r${index}: register(input: {username: "${name}-${index}", password: "${PASSWORD}"}) { user { id } }`;

  /** Whether the request was rejected as a whole, or else the results of its operations. */
  function reasonsOf({ status, errors = [] }: GraphqlResponse): unknown[] {
    const reasons = errors.map(({ extensions: { code, reason } }) =>
      code === 'GRAPHQL_PARSE_FAILED' || code === 'GRAPHQL_VALIDATION_FAILED' ? 'TOO_MUCH' : reason,
    );
    expect(status).toBe(reasons.includes('TOO_MUCH') ? 400 : 200);
    return reasons;
  }

  async function accountsNamed(name: string): Promise<number> {
    return (
      (await service.database.pool.query('select 1 from account where username like $1', [`${name}-%`])).rowCount ?? 0
    );
  }

  it.each(Object.keys(WAYS))('run few or none of 300 logins %s (OpenCTI#6898)', async (way) => {
    const ms = await measureBusyMs(async () => {
      for (let time = 0; time < 4; time += 1) {
        for (const reason of reasonsOf(await run([WAYS[way]?.(times(300, (index) => login(index))) ?? ''])))
          expect(['TOO_MUCH', 'WRONG_CREDENTIALS', 'RATE_LIMITED']).toContain(reason);
      }
    });
    expect(tried).toBeLessThanOrEqual(QUOTA);
    expect(ms).toBeLessThan(3_000);
  });

  it('run few or none of 300 logins through one variable', async () => {
    for (const count of [300, 75]) {
      const logins = times(count, (index) => `l${index}: issueToken(input: $input) { expiresIn }`).join(' ');
      const document = `mutation ($input: IssueTokenInput!) { ${logins} }`;
      for (let time = 0; time < QUOTA + 2; time += 1)
        reasonsOf(await run([document, { input: { username: 'ada', password: WRONG } }]));
    }
    expect(tried).toBeLessThanOrEqual(QUOTA);
  });

  it.each(Object.keys(WAYS))('count each of a few logins %s separately', async (way) => {
    const document = WAYS[way]?.(times(8, (index) => login(index, index % 2 === 0 ? 'ada' : 'ADA'))) ?? '';
    const reasons = [];
    // The first failure ends its request. The same document takes another code path the second time, because it is
    // compiled then.
    for (let time = 0; time < QUOTA + 2; time += 1) reasons.push(reasonsOf(await run([document])));
    expect(tried).toBe(QUOTA);
    expect(reasons).toEqual([...times(QUOTA, () => ['WRONG_CREDENTIALS']), ['RATE_LIMITED'], ['RATE_LIMITED']]);
  });

  it('count logins as executed when they are skipped by a directive or merged', async () => {
    await run([
      `mutation { ${times(8, (index) => `... @include(if: false) { ${login(index)} }`).join(' ')} __typename }`,
    ]);
    expect(tried).toBe(0);
    await run([`mutation { ${times(8, () => login(0)).join(' ')} }`]);
    expect(tried).toBe(1);
  });

  it('count logins together with concurrent logins over REST', async () => {
    const [graphql, rest] = await Promise.all([
      Promise.all(times(15, () => run([WAYS['one beside another']?.(times(8, (index) => login(index))) ?? '']))),
      Promise.all(times(20, () => logIn(WRONG, '203.0.113.1'))),
    ]);
    expect(tried).toBeGreaterThanOrEqual(QUOTA);
    expect(tried).toBeLessThanOrEqual(QUOTA + MOST_BEYOND);
    expect(
      [...graphql.flatMap(reasonsOf), ...rest.map(({ status }) => status)].filter(
        (outcome) => outcome === 'WRONG_CREDENTIALS' || outcome === 401,
      ),
    ).toHaveLength(tried);
    expect((await logIn(PASSWORD, '203.0.113.1')).status).toBe(429);
    expect((await run([`mutation { ${login(0).replace(WRONG, PASSWORD)} }`])).errors?.[0]?.extensions).toMatchObject({
      reason: 'RATE_LIMITED',
      retryAfterSeconds: expect.any(Number),
    });
    // Logins from other addresses are not blocked.
    expect((await logIn(PASSWORD, '203.0.113.2')).status).toBe(200);
  });

  it('allow as few logins for many names from one address as single requests', async () => {
    for (let time = 0; time < 34; time += 1)
      await run([WAYS['one beside another']?.(times(2, (index) => login(index, `name-${time}-${index}`))) ?? '']);
    expect(tried).toBe(30);
  });

  it.each([...Object.keys(WAYS), 'three hundred'])(
    'allow no more registrations, %s, than single requests',
    async (way) => {
      const [count, write] = way === 'three hundred' ? [300, WAYS['one beside another']] : [8, WAYS[way]];
      const name = `j${Object.keys(WAYS).indexOf(way) + 1}`;
      const documents = times(
        2,
        (half) => write?.(times(count, (index) => registration(name, half * count + index))) ?? '',
      );
      const [, , ...rest] = await Promise.all([
        ...documents.map((document) => run([document])),
        ...times(6, (index) =>
          new TestClient(service.url).post(
            '/api/auth/register',
            { username: `${name}-rest-${index}`, password: PASSWORD },
            { 'x-forwarded-for': '203.0.113.1' },
          ),
        ),
      ]);
      expect(await accountsNamed(name)).toBe(REGISTRATIONS);
      for (const { status } of rest) expect([201, 429]).toContain(status);
    },
  );

  it('count other password checks as logins, whatever the operation', async () => {
    const wrong = [
      `a: changePassword(input: {currentPassword: "${WRONG}", newPassword: "nine loud lanterns"}) { revokedSessions }`,
      `b: deleteAccount(input: {password: "${WRONG}"}) { deletedUserId }`,
      `c: updateProfile(input: {email: "x@example.org", currentPassword: "${WRONG}"}) { user { id } }`,
      login(0),
    ];
    for (let time = 0; time < QUOTA + 2; time += 1)
      await run([`mutation { ${wrong[time % wrong.length] ?? ''} }`], ada);
    expect(tried).toBe(QUOTA);
    expect((await logIn(PASSWORD, '203.0.113.1')).status).toBe(429);
  });

  it('reject a batch of 100', async () => {
    const one = { query: `mutation { ${login(0)} }` };
    for (const batch of [times(100, () => one), [one], [times(100, () => one)]])
      expect((await new TestClient(service.url).post('/graphql', batch)).status).toBe(400);
    const manyOperations = times(40, (index) => `mutation M${index} { ${login(index)} }`).join(' ');
    for (const operationName of [null, '', 'M0,M1', 'M*'])
      expect(
        (await new TestClient(service.url).post('/graphql', { query: manyOperations, operationName }, { accept: NEW }))
          .status,
      ).toBe(400);
    expect(tried).toBe(0);
    await new TestClient(service.url).post('/graphql', { query: manyOperations, operationName: 'M3' });
    expect(tried).toBe(1);
  });
});
