import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  accountRetentionRules,
  changePassword,
  newId,
  requestEmailVerification,
  SECURITY_NOTICES,
  updateProfile,
} from '../../src/accounts/index.js';
import { revocationTtlMs } from '../../src/accounts/revocation/revocation-registry.js';
import { DAY_MS } from '../../src/async/durations.js';
import { claimTasks } from '../../src/database/outbox/claim-tasks.js';
import { failTask } from '../../src/database/outbox/fail-task.js';
import { pruneOnce } from '../support/database/prune-once.js';
import {
  createPasswordsFixture,
  HOME,
  NEW_PASSWORD,
  PASSWORD,
  type PasswordsFixture,
} from './passwords/passwords-fixture.js';

const TTL_MS = 900_000;
const TOKENS_LIVE_MS = revocationTtlMs(TTL_MS);

let fixture: PasswordsFixture;
let userId: string;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
  ({ userId } = await fixture.join('ada', 'ada@example.org'));
});
beforeEach(() =>
  fixture.sql(
    `
    truncate session, session_revocation, rate_limit, known_address, password_reset, email_verification,
      idempotent_request, audit_event`,
  ),
);
afterAll(() => fixture.remove());

function prune(auditRetentionMs: number | null = 365 * DAY_MS): Promise<void> {
  return pruneOnce(
    fixture.database,
    fixture.clock.now(),
    accountRetentionRules({ accessTokenTtlMs: TTL_MS, auditRetentionMs }),
  );
}

async function count(table: string): Promise<number> {
  return (await fixture.sql(`select from ${table}`)).length;
}

/** A row of each table, as of a moment. */
const ROWS: Readonly<Record<string, (at: Date) => Promise<unknown>>> = {
  session: (at) =>
    fixture.sql('insert into session (id, user_id, created_at, rotated_at, expires_at) values ($1, $2, $3, $3, $3)', [
      newId(),
      userId,
      at,
    ]),
  session_revocation: (at) =>
    fixture.sql('insert into session_revocation (session_id, revoked_at) values ($1, $2)', [newId(), at]),
  rate_limit: (at) =>
    fixture.sql('insert into rate_limit (key, points, expire) values ($1, 1, $2)', [newId(), at.getTime()]),
  known_address: (at) =>
    fixture.sql('insert into known_address values ($1, $2, $3)', [userId, Buffer.from(newId()), at]),
  password_reset: (at) => fixture.sql(`insert into password_reset values ($1, 'a@b.c', null, $2)`, [newId(), at]),
  idempotent_request: (at) =>
    fixture.sql(`insert into idempotent_request values ($1, '\\x01', '{}', null, $2)`, [Buffer.from(newId()), at]),
  audit_event: (at) => fixture.sql(`insert into audit_event (id, at, action) values ($1, $2, 'login')`, [newId(), at]),
};

describe('accountRetentionRules', () => {
  it.each([
    ['session', 'no access token of it can be valid any more', TOKENS_LIVE_MS],
    [
      'session_revocation',
      'no token can meet it any more, by a clock that is two days ahead either',
      TOKENS_LIVE_MS + 2 * DAY_MS,
    ],
    ['rate_limit', 'its window is over', 1],
    ['known_address', 'it was not used for a login for 90 days', 90 * DAY_MS],
    ['password_reset', 'it has expired', 0],
    ['idempotent_request', 'it is a day old', DAY_MS],
    ['audit_event', 'its time is over', 365 * DAY_MS],
  ])('delete a row of %s when %s, and not earlier', async (table, _, afterMs) => {
    await ROWS[table]?.(fixture.clock.in(-afterMs));
    await ROWS[table]?.(fixture.clock.in(1 - afterMs));
    await prune();
    expect(await count(table)).toBe(1);
    fixture.clock.advance(1);
    await prune();
    expect(await count(table)).toBe(0);
  });

  it('delete audit events after the configured time, or never', async () => {
    await ROWS['audit_event']?.(fixture.clock.in(-3_650 * DAY_MS));
    await ROWS['audit_event']?.(fixture.clock.in(-2 * DAY_MS));
    // The longest that the setting takes reaches back before year 1.
    await prune(999_999 * DAY_MS);
    expect(await count('audit_event')).toBe(2);
    await prune(null);
    expect(await count('audit_event')).toBe(2);
    await prune(3 * DAY_MS);
    expect(await count('audit_event')).toBe(1);
  });

  it('delete an unverified address 30 days after its link expired; the account can start again', async () => {
    const grace = await fixture.join('grace', 'grace@example.org');
    await updateProfile(fixture.accounts, grace, { email: 'hopper@example.org', currentPassword: PASSWORD }, HOME);
    await fixture.deliver();
    fixture.clock.advance(31 * DAY_MS - 1);
    await prune();
    expect(await requestEmailVerification(fixture.accounts, grace)).toEqual({ sent: true });
    fixture.clock.advance(31 * DAY_MS);
    await prune();
    expect(await count('email_verification')).toBe(0);
    expect(await requestEmailVerification(fixture.accounts, grace)).toEqual({ sent: false });
  });

  it('keep the only address of an account while it is unverified', async () => {
    const joan = await fixture.join('joan');
    await updateProfile(fixture.accounts, joan, { email: 'joan@example.org', currentPassword: PASSWORD }, HOME);
    fixture.clock.advance(31 * DAY_MS);
    await prune();
    expect(await requestEmailVerification(fixture.accounts, joan)).toEqual({ sent: true });
  });

  it('delete the recipient of a notice when its task has failed finally, and not while it is retried', async () => {
    const mary = await fixture.join('mary', 'mary@example.org');
    await changePassword(fixture.accounts, mary, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, HOME);
    const [task] = await fixture.sql<{ id: string }>('select id from outbox_task where name = any($1)', [
      SECURITY_NOTICES,
    ]);
    const id = task?.id ?? '';
    for (;;) {
      await prune();
      expect(await count('notice_recipient')).toBe(1);
      const [claimed] = await claimTasks(fixture.database, [id], fixture.clock.now(), 60_000);
      const failed =
        claimed && (await failTask(fixture.database, claimed, 'The mail server is away.', fixture.clock.now()));
      if (failed?.status !== 'QUEUED') break;
      fixture.clock.moveTo(failed.dueAt ?? fixture.clock.now());
    }
    await prune();
    expect(await count('notice_recipient')).toBe(0);
    expect(await fixture.sql('select status from outbox_task where id = $1', [id])).toEqual([{ status: 'FAILED' }]);
  });
});
