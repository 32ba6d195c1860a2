import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { comparableHead, TestClient } from '../../../support/http/test-client.js';
import { RecordingMailer } from '../../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { PASSWORD } from '../../../support/service/test-users.js';
import { waitUntil } from '../../../support/wait-until.js';
import { startTwoProcesses, type TwoProcesses } from '../two-processes.js';

const PATH = '/api/auth/register';
const REGISTER =
  'mutation ($input: RegisterInput!) { register(input: $input) { user { username } followUps { name } } }';
const CONCURRENCY = 40;
const FOLLOW_UPS = ['announce_registration', 'claim_invitation', 'verify_email'];

const mailer = new RecordingMailer();
let processes: TwoProcesses;

beforeAll(async () => {
  processes = await startTwoProcesses({ hasher: FAKE_HASHER, mailer });
});
afterAll(() => processes.remove());

/** One name in many spellings: case, separate accents, full-width letters. */
function spellings(name: string): string[] {
  return [
    name,
    name.toUpperCase(),
    name.normalize('NFD'),
    name.toUpperCase().normalize('NFD'),
    name.replace('z', '\uff5a'),
    name.replace('z', 'Z'),
  ];
}

interface Outcome {
  readonly isCreated: boolean;
  /** The response without the id and the time. */
  readonly response: string;
}

interface RegisterTransport {
  readonly url: string;
  readonly isRest: boolean;
}

async function register({ url, isRest }: RegisterTransport, username: string): Promise<Outcome> {
  const body = { username, password: PASSWORD, email: 'zoe@example.org' };
  const client = new TestClient(url);
  const { status, headers, text } = isRest
    ? await client.post(PATH, body)
    : await client.post('/graphql', { query: REGISTER, variables: { input: body } });
  const { 'content-length': _, ...head } = comparableHead({ status, headers });
  const isCreated = !text.includes('USERNAME_TAKEN');
  const same = text.replaceAll(headers.get('x-request-id') ?? '', '<id>');
  return { isCreated, response: JSON.stringify([head, isRest ? same : inOrder(same)]) };
}

/** A document that is new to a process has its errors before its data, so the order of the members is ignored. */
function inOrder(text: string): unknown[] {
  const { data, errors } = JSON.parse(text) as { data: unknown; errors: unknown };
  return [data, errors];
}

async function found(sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  return (await processes.here.database.pool.query<Record<string, unknown>>(sql, [...values])).rows;
}

describe('forty concurrent registrations of one name in any spelling', () => {
  const transports: readonly [string, (processes: TwoProcesses) => RegisterTransport[]][] = [
    ['over REST', ({ here }) => [{ url: here.url, isRest: true }]],
    ['over GraphQL, with Yoga', ({ here }) => [{ url: here.url, isRest: false }]],
    ['over GraphQL, with Apollo', ({ there }) => [{ url: there.url, isRest: false }]],
    [
      'from two processes, on every transport',
      ({ here, there }) =>
        [here, there].flatMap(({ url }) => [
          { url, isRest: true },
          { url, isRest: false },
        ]),
    ],
  ];

  it.each(transports)(
    '%s, create one account; all others get the later response (better-auth#866, supabase/auth#2712)',
    async (where, createTransports) => {
      const names = spellings(`zo\u00e9-${String(where.length)}`);
      const open = createTransports(processes);
      const attempts = Array.from({ length: CONCURRENCY }, (_, index) => ({
        transport: open[index % open.length] ?? open[0]!,
        username: names[index % names.length] ?? '',
      }));
      const outcomes = await Promise.all(
        attempts.map(async ({ transport, username }) => ({
          transport,
          username,
          ...(await register(transport, username)),
        })),
      );
      const [winner, ...others] = outcomes.filter(({ isCreated }) => isCreated);
      expect(others).toEqual([]);
      for (const transport of open) {
        const later = await register(transport, names[0] ?? '');
        const rejected = outcomes
          .filter((outcome) => !outcome.isCreated && outcome.transport === transport)
          .map(({ response }) => response);
        expect(rejected.length).toBeGreaterThan(5);
        expect(new Set(rejected)).toEqual(new Set([later.response]));
      }
      await expectOneAccount(names, winner?.username ?? '');
    },
  );

  async function expectOneAccount(names: readonly string[], username: string): Promise<void> {
    const accounts = await found('select id, username from account where username = any($1)', [
      names.map((name) => name.normalize('NFC')),
    ]);
    expect(accounts.map((account) => account.username)).toEqual([username.normalize('NFC')]);
    const [id] = accounts.map((account) => account.id);
    await waitUntil(
      'the follow-ups to be over',
      async () =>
        (await found('select 1 from outbox_task where registered_user_id = $1 and due_at is not null', [id])).length ===
        0,
    );
    expect(
      (await found('select name from outbox_task where registered_user_id = $1 order by name', [id])).map(
        ({ name }) => name,
      ),
    ).toEqual(FOLLOW_UPS);
    expect(await found('select kind from account_event where user_id = $1', [id])).toEqual([
      { kind: 'user.registered' },
    ]);
    expect(await found('select 1 from email_verification where user_id = $1', [id])).toHaveLength(1);
  }

  it('enqueue one mail for each account', () => {
    expect(mailer.sent).toHaveLength(transports.length);
  });

  it('store nothing of the rejected registrations', async () => {
    expect(await found('select 1 from account', [])).toHaveLength(transports.length);
    expect(await found('select 1 from outbox_task where registered_user_id is not null', [])).toHaveLength(
      transports.length * FOLLOW_UPS.length,
    );
    expect(await found('select 1 from account_event', [])).toHaveLength(transports.length);
  });
});
