import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '../../support/database/test-database.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';

const USER = '0199a0c2-0000-7000-8000-000000000001';
const FAILED = '0199a0c2-0000-7000-8000-00000000000f';
const DONE = '0199a0c2-0000-7000-8000-00000000000d';

let fixture: CliFixture;
beforeAll(async () => {
  fixture = await createCliFixture();
  await withClient(fixture.databaseUrl, async (client) => {
    await client.query(
      "insert into account (id, username, username_key, password_hash, created_at) values ($1, 'ada', 'ada', " +
        "'none', now())",
      [USER],
    );
    await client.query(
      `insert into outbox_task (id, name, payload, registered_user_id, status, attempts, last_error,
        created_at, due_at, finished_at) values
       ($1, 'verify_email', '{}', $3, 'FAILED', 12, 'The mail server is away.', '2026-03-01T12:00:00Z', null, now()),
       ($2, 'announce_registration', '{}', $3, 'DONE', 1, null, '2026-03-01T12:00:00Z', null, now())`,
      [FAILED, DONE, USER],
    );
  });
});
afterAll(() => fixture.close());

describe('convene follow-ups list', () => {
  it('prints a table, newest first, and the total', async () => {
    const { code, out, err } = await fixture.convene('follow-ups', 'list');
    expect(code).toBe(0);
    expect(err).toBe('2 of 2.');
    const [headings, first, second] = out.split('\n');
    expect(headings).toMatch(/^ID {36}NAME {19}STATUS {2}ATTEMPTS {2}QUEUED {20}USER {34}LAST ERROR$/);
    expect(first).toBe(
      `${FAILED}  verify_email           failed  12        2026-03-01T12:00:00.000Z  ${USER}  The mail server is away.`,
    );
    expect(second).toBe(`${DONE}  announce_registration  done    1         2026-03-01T12:00:00.000Z  ${USER}`);
  });

  it('filters by status, up to --limit', async () => {
    expect((await fixture.convene('follow-ups', 'list', '--status', 'done')).out).not.toContain(FAILED);
    expect(await fixture.convene('follow-ups', 'list', '--limit', '1')).toMatchObject({
      err: '1 of 2.',
      out: expect.not.stringContaining(DONE),
    });
  });

  it('prints no table without rows', async () => {
    expect(await fixture.convene('follow-ups', 'list', '--status', 'skipped')).toEqual({
      code: 0,
      out: '',
      err: '0 of 0.',
    });
  });
});

describe('convene follow-ups retry', () => {
  it('queues a failed follow-up once', async () => {
    expect(await fixture.convene('follow-ups', 'retry', FAILED)).toEqual({
      code: 0,
      err: '',
      out: `verify_email of user ${USER} is queued again; a running service tries it within seconds.`,
    });
    expect((await fixture.convene('follow-ups', 'list', '--status', 'queued')).out).toContain(FAILED);
    const { code, err } = await fixture.convene('follow-ups', 'retry', FAILED);
    expect([code, err]).toEqual([
      1,
      `No follow-up ${FAILED} has failed: "convene follow-ups list --status failed" shows those that have.`,
    ]);
  });

  it('rejects a follow-up that is done', async () => {
    expect((await fixture.convene('follow-ups', 'retry', DONE)).code).toBe(1);
  });
});
