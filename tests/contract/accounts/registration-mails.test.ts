import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mail } from '../../../src/accounts/index.js';
import { TestClient, type TestResponse } from '../../support/http/test-client.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { PASSWORD } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';
import { startTwoProcesses, type TwoProcesses } from '../adversarial/two-processes.js';

const REGISTER = '/api/auth/register';
const LIMIT = 5;
const REQUEST = 'mutation { requestEmailVerification { sent } }';

/** Fails once for each mail that it is configured to fail. */
class FickleMailer extends RecordingMailer {
  readonly #failed = new Set<string>();
  failsFor: string | null = null;

  override send(mail: Mail): Promise<void> {
    if (mail.to !== this.failsFor || this.#failed.has(mail.id)) return super.send(mail);
    this.#failed.add(mail.id);
    return Promise.reject(new Error('not now'));
  }
}

const mailer = new FickleMailer();
let processes: TwoProcesses;
let address: string;

beforeAll(async () => {
  processes = await startTwoProcesses({
    hasher: FAKE_HASHER,
    mailer,
    settings: { RATE_LIMITS: 'on', LIMIT_REGISTER: '10000/1h', TRUST_PROXY: 'loopback' },
  });
});
afterAll(() => processes.remove());
beforeEach(() => {
  address = `${randomUUID()}@example.org`;
});

async function run<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await processes.here.database.pool.query(sql, [...values])).rows as Row[];
}

/** From another client each time, through either process, in another spelling of the address. */
function register(index: number, email = address): Promise<TestResponse> {
  const service = index % 2 === 0 ? processes.here : processes.there;
  const body = {
    username: `p-${randomUUID().slice(0, 8)}`,
    password: PASSWORD,
    email: index % 3 === 0 ? email.toUpperCase() : email,
  };
  return new TestClient(service.url).post(REGISTER, body, { 'x-forwarded-for': `198.51.100.${String(index)}` });
}

function mailsTo(email: string): number {
  return mailer.sent.filter(({ to }) => to.toLowerCase() === email).length;
}

/** The statuses of the tasks that mail a link to the address, after all have completed. */
async function outcomes(email: string): Promise<string[]> {
  const find = (): Promise<{ status: string }[]> =>
    run(
      `
        select status from outbox_task task join account on account.id = registered_user_id
        where name = 'verify_email' and email_key = $1 order by status`,
      [email],
    );
  await waitUntil('all mails are sent or left out', async () =>
    (await find()).every(({ status }) => status === 'DONE' || status === 'SKIPPED'),
  );
  return (await find()).map(({ status }) => status);
}

describe('verification mails of registrations', () => {
  it('are limited to five an hour for one address, while every account is created', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => register(index)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(await outcomes(address)).toEqual([
      ...Array.from({ length: LIMIT }, () => 'DONE'),
      ...Array.from({ length: 15 }, () => 'SKIPPED'),
    ]);
    expect(mailsTo(address)).toBe(LIMIT);
    // The responses do not reveal which of them sent a mail.
    const comparable = responses.map(({ body }) => ({
      ...(body as object),
      user_id: null,
      username: null,
      email: null,
      created_at: null,
    }));
    for (const each of comparable) expect(each).toEqual(comparable[0]);
    const other = `${randomUUID()}@example.org`;
    await register(0, other);
    expect(await outcomes(other)).toEqual(['DONE']);
  });

  it('count together with requested verification mails', async () => {
    const response = await register(1);
    const { access_token: token } = (
      await new TestClient(processes.here.url).post('/api/auth/token', {
        username: (response.body as { username: string }).username,
        password: PASSWORD,
      })
    ).body as { access_token: string };
    await outcomes(address);
    const owner = new TestClient(processes.here.url, token);
    const requestVerification = async (): Promise<unknown> => {
      const { data, errors } = await owner.graphql(REQUEST);
      return errors?.[0]?.extensions.policy ?? data;
    };
    for (let time = 1; time < LIMIT; time += 1)
      expect(await requestVerification()).toEqual({ requestEmailVerification: { sent: true } });
    expect(await requestVerification()).toMatchObject({ name: 'verification-mail', quota: LIMIT });
    await waitUntil('those that were asked for are sent', () => mailsTo(address) === LIMIT);
    await register(2);
    expect(await outcomes(address)).toEqual(['DONE', 'SKIPPED']);
    await run('update rate_limit set expire = 0');
    expect(await requestVerification()).toEqual({ requestEmailVerification: { sent: true } });
    await register(3);
    expect(await outcomes(address)).toEqual(['DONE', 'DONE', 'SKIPPED']);
  });

  it('are not counted for failed registrations', async () => {
    const { username } = (await register(4)).body as { username: string };
    await outcomes(address);
    for (let time = 0; time < 2 * LIMIT; time += 1) {
      const { status } = await new TestClient(processes.here.url).post(REGISTER, {
        username,
        password: PASSWORD,
        email: address,
      });
      expect(status).toBe(409);
    }
    for (let index = 1; index < LIMIT; index += 1) await register(index);
    expect(await outcomes(address)).toEqual(Array.from({ length: LIMIT }, () => 'DONE'));
  });

  it('count once, however often sending is retried', async () => {
    mailer.failsFor = address;
    await register(5);
    const retry = `
      update outbox_task set due_at = now() - interval '1 minute'
      where name = 'verify_email' and status = 'QUEUED' and attempts > 0`;
    await waitUntil('it is sent', async () => {
      await run(retry);
      return mailsTo(address) === 1;
    });
    mailer.failsFor = null;
    for (const index of [1, 2, 4, 5]) await register(index);
    expect(await outcomes(address)).toEqual(Array.from({ length: LIMIT }, () => 'DONE'));
    expect(mailsTo(address)).toBe(LIMIT);
  });
});
