import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { buildApp, type App } from '../../src/app.js';
import { DAY_MS } from '../../src/async/durations.js';
import { fakeClock, type FakeClock } from '../support/fake-clock.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

const PASSWORD = 'seven quiet lanterns';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

describe('Idempotency-Key', () => {
  let clock: FakeClock;
  let service: TestService;
  let other: App;
  let otherUrl: string;

  beforeAll(async () => {
    clock = fakeClock();
    service = await startTestService({ clock });
    other = await buildApp({ ...service.settings, PORT: 0 }, { clock, log: pino({ level: 'silent' }) });
    otherUrl = await other.listen();
  });
  afterAll(async () => {
    await other.close();
    await service.remove();
  });

  async function register(url: string, key: string, body: object): Promise<Answer> {
    const response = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async function graphql(
    token: string,
    key: string | null,
    query: string,
    variables: object,
  ): Promise<{ data: unknown; errors?: { extensions: object }[] }> {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as never;
  }

  async function tokenOf(username: string): Promise<string> {
    const response = await fetch(`${service.url}/api/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ username, password: PASSWORD }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async function count(table: string): Promise<number> {
    const { rows } = await service.database.pool.query<{ count: string }>(`select count(*) from ${table}`);
    return Number(rows[0]?.count);
  }

  it('returns the same response for the same registration, whatever the state of its follow-ups', async () => {
    const body = { username: 'ada', password: PASSWORD };
    const first = await register(service.url, '"key-ada"', body);
    expect(first.status).toBe(201);
    await service.database.pool.query(`update outbox_task set status = 'DONE', due_at = null`);
    expect(await register(otherUrl, 'key-ada', body)).toEqual(first);
  });

  it("is rejected for another registration with the header's name", async () => {
    const response = await register(service.url, 'key-ada', { username: 'ada', password: `${PASSWORD}!` });
    expect(response).toMatchObject({
      status: 422,
      body: { reason: 'IDEMPOTENCY_KEY_REUSED', errors: [{ field: 'Idempotency-Key' }] },
    });
  });

  it('is necessary: without the key the name is taken', async () => {
    expect((await register(service.url, 'another-key', { username: 'ada', password: PASSWORD })).body).toMatchObject({
      reason: 'USERNAME_TAKEN',
    });
  });

  it.each(['a b', 'x'.repeat(256)])('is rejected when it is malformed: %j', async (key) => {
    expect(await register(service.url, key, { username: 'never', password: PASSWORD })).toMatchObject({
      status: 422,
      body: { reason: 'INVALID_INPUT', errors: [{ field: 'Idempotency-Key' }] },
    });
  });

  it('creates one account when two processes receive the same registration concurrently', async () => {
    const before = await count('account');
    const body = { username: 'twins', password: PASSWORD };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => register(index % 2 === 0 ? service.url : otherUrl, 'key-twins', body)),
    );
    const made = responses.filter(({ status }) => status === 201);
    const rejected = responses.filter(({ status }) => status !== 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body: { user_id: id } }) => id)).size).toBe(1);
    for (const response of rejected)
      expect(response).toMatchObject({ status: 409, body: { reason: 'REQUEST_IN_PROGRESS' } });
    expect(await count('account')).toBe(before + 1);
    expect(await register(service.url, 'key-twins', body)).toEqual(made[0]);
  });

  it('is not stored, nor is the response or a secret', async () => {
    const { rows } = await service.database.pool.query<{ row: string }>(
      'select t::text as row from idempotent_request t',
    );
    const storedRows = rows.map(({ row }) => row).join('\n');
    expect(storedRows).not.toContain('key-ada');
    expect(storedRows).not.toContain('lanterns');
    expect(storedRows).toContain('userId');
  });

  it('creates one group, sends one invitation and stores one score', async () => {
    await register(service.url, 'key-ben', { username: 'ben', password: PASSWORD });
    const token = await tokenOf('ada');
    const create = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id revision } } }';
    const first = await graphql(token, 'group-1', create, { input: { name: 'Supper club' } });
    expect(await graphql(token, 'group-1', create, { input: { name: 'Supper club' } })).toEqual(first);
    expect(
      (await graphql(token, 'group-1', create, { input: { name: 'Other' } })).errors?.[0]?.extensions,
    ).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
    const { id: groupId } = (first.data as { createGroup: { group: { id: string } } }).createGroup.group;

    const invite = `
      mutation ($input: InviteToGroupInput!) {
        inviteToGroup(input: $input) { results { outcome member { status } } group { revision } }
      }`;
    const input = { groupId, invitees: [{ username: 'ben' }, { username: 'nobody' }] };
    const invited = await graphql(token, 'invite-1', invite, { input });
    expect(invited.data).toMatchObject({
      inviteToGroup: { results: [{ outcome: 'INVITED' }, { outcome: 'USER_NOT_FOUND' }] },
    });
    expect(await graphql(token, 'invite-1', invite, { input })).toEqual(invited);

    await service.database.pool.query(`update account set roles = '{USER,ADMIN}' where username = 'ada'`);
    const score = `
      mutation ($input: RecordCompatibilityScoreInput!) {
        recordCompatibilityScore(input: $input) { group { compatibilityScore { value } } }
      }`;
    const scored = await graphql(token, 'score-1', score, { input: { groupId, value: 71.5, source: 'test' } });
    expect(await graphql(token, 'score-1', score, { input: { groupId, value: 71.5, source: 'test' } })).toEqual(scored);
    expect(await count('compatibility_score')).toBe(1);
  });

  it('counts each alias of a document separately', async () => {
    const both = `
      mutation {
        a: createGroup(input: { name: "A" }) { group { id } }
        b: createGroup(input: { name: "B" }) { group { id } }
      }`;
    const token = await tokenOf('ada');
    const first = await graphql(token, 'both', both, {});
    expect(first.errors).toBeUndefined();
    expect(await graphql(token, 'both', both, {})).toEqual(first);
  });

  it('has no effect for another caller', async () => {
    const create = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }';
    const input = { input: { name: 'Supper club' } };
    const [ada, ben] = [await tokenOf('ada'), await tokenOf('ben')];
    expect(await graphql(ben, 'group-1', create, input)).not.toEqual(await graphql(ada, 'group-1', create, input));
  });

  it('expires after a day', async () => {
    clock.advance(DAY_MS + 1);
    expect((await register(service.url, 'key-ada', { username: 'ada', password: PASSWORD })).body).toMatchObject({
      reason: 'USERNAME_TAKEN',
    });
  });
});
