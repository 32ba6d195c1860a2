import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createApiKeyAsAdmin,
  OPERATOR,
  refreshSession,
  requestPasswordReset,
  resetPassword,
  setUserDisabled,
  setUserRole,
  type UserActor,
} from '../../../src/accounts/index.js';
import { DomainError } from '../../../src/errors/index.js';
import { withClient } from '../../support/database/test-database.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { ANONYMOUS } from '../../support/groups/groups-fixture.js';
import { waitUntil } from '../../support/wait-until.js';
import { HOME, isAlive, NEW_PASSWORD, PASSWORD } from '../passwords/passwords-fixture.js';
import { createAdminFixture, MATCHER, PROGRAM, type AdminFixture } from './admin-fixture.js';

const ROUNDS = 10;

let fixture: AdminFixture;
let root: UserActor;
beforeAll(async () => {
  fixture = await createAdminFixture();
  root = await fixture.administrator();
});
afterAll(() => fixture.remove());

let names = 0;

/** User with a session. */
async function createUser(): Promise<UserActor & { readonly username: string }> {
  names += 1;
  const username = `someone-${names}`;
  return { ...(await fixture.join(username)), username };
}

const disable = (by: UserActor, { userId }: Pick<UserActor, 'userId'>, disabled = true) =>
  setUserDisabled(fixture.accounts, by, { userId, disabled });
const demote = (by: UserActor, { userId }: Pick<UserActor, 'userId'>) =>
  setUserRole(fixture.accounts, by, { userId, role: 'USER' });

describe('setUserDisabled', () => {
  it('revokes all sessions and rejects logins while the account is disabled', async () => {
    const ada = await createUser();
    const { refreshToken } = await fixture.logIn(ada.username);
    expect(await disable(root, ada)).toMatchObject({
      id: ada.userId,
      disabled: true,
      lastLoginAt: fixture.clock.now(),
    });
    expect(await isAlive(fixture, ada)).toBe(false);
    await expect(refreshSession(fixture.accounts, refreshToken, HOME)).rejects.toEqual(
      errorWithReason('REFRESH_INVALID'),
    );
    await expect(fixture.logIn(ada.username)).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    expect(await disable(root, ada, false)).toMatchObject({ disabled: false });
    expect(await isAlive(fixture, ada)).toBe(false);
    await expect(refreshSession(fixture.accounts, refreshToken, HOME)).rejects.toEqual(
      errorWithReason('REFRESH_INVALID'),
    );
    expect((await fixture.logIn(ada.username)).user.id).toBe(ada.userId);
  });

  it('rejects password resets of a disabled account', async () => {
    const address = 'kept-out@example.org';
    const ada = await fixture.join('kept-out', address);
    await requestPasswordReset(fixture.accounts, address, HOME);
    await fixture.deliver();
    const secret = fixture.mailer.secretTo(address);
    await disable(root, ada);
    await expect(resetPassword(fixture.accounts, { secret, newPassword: NEW_PASSWORD }, HOME)).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
    const sent = fixture.mailer.sent.length;
    await requestPasswordReset(fixture.accounts, address, HOME);
    expect(await fixture.deliver()).toEqual(['SKIPPED']);
    expect(fixture.mailer.sent).toHaveLength(sent);
    await disable(root, ada, false);
    await fixture.logIn('kept-out', PASSWORD);
  });

  it('changes nothing when the account already has the requested state', async () => {
    const ada = await createUser();
    await disable(root, ada, false);
    expect(await isAlive(fixture, ada)).toBe(true);
    await disable(root, ada);
    const kept = () => fixture.sql('select disabled_at from account where id = $1', [ada.userId]);
    const [before, audited] = [await kept(), await fixture.audited()];
    fixture.clock.advance(1_000);
    await disable(root, ada);
    expect([await kept(), await fixture.audited()]).toEqual([before, audited]);
  });

  it('allows the operator to disable any administrator', async () => {
    const other = await fixture.administrator();
    expect(await setUserDisabled(fixture.accounts, OPERATOR, { userId: other.userId, disabled: true })).toMatchObject({
      disabled: true,
    });
  });
});

describe('setUserRole', () => {
  it('grants and revokes the role and revokes sessions, so that no token has old roles', async () => {
    const ada = await createUser();
    expect(await setUserRole(fixture.accounts, root, { userId: ada.userId, role: 'ADMIN' })).toMatchObject({
      roles: ['USER', 'ADMIN'],
    });
    expect(await isAlive(fixture, ada)).toBe(false);
    const again = await fixture.signedIn(ada.username);
    await createApiKeyAsAdmin(fixture.accounts, again, MATCHER);
    expect(await demote(root, again)).toMatchObject({ roles: ['USER'] });
    expect(await isAlive(fixture, again)).toBe(false);
    await expect(createApiKeyAsAdmin(fixture.accounts, again, MATCHER)).rejects.toEqual(
      errorWithReason('ADMIN_REQUIRED'),
    );
  });

  it('changes and records nothing when the account already has the role', async () => {
    const ada = await createUser();
    const audited = await fixture.audited();
    expect(await demote(root, ada)).toMatchObject({ roles: ['USER'] });
    expect([await isAlive(fixture, ada), await fixture.audited()]).toEqual([true, audited]);
  });
});

describe('setUserDisabled and setUserRole', () => {
  const changes = [
    ['disable', disable],
    ['demote', demote],
  ] as const;

  it.each(changes)("reject the caller's own account: %s", async (_, change) => {
    await expect(change(root, root)).rejects.toEqual(errorWithFields('userId'));
  });

  it.each(changes)('reject an unknown account: %s', async (_, change) => {
    await expect(change(root, { userId: '0190c2a0-0000-7000-8000-000000000000' })).rejects.toEqual(
      errorWithReason('USER_NOT_FOUND'),
    );
  });

  it('reject callers that are not enabled administrators', async () => {
    const [ada, out] = [await fixture.person(), await fixture.administrator()];
    await disable(root, out);
    for (const [by, reason] of [
      [ada, 'ADMIN_REQUIRED'],
      [out, 'TOKEN_REVOKED'],
      [ANONYMOUS, 'TOKEN_MISSING'],
      [PROGRAM, 'SCOPE_REQUIRED'],
    ] as const) {
      await expect(setUserDisabled(fixture.accounts, by, { userId: root.userId, disabled: true })).rejects.toEqual(
        errorWithReason(reason),
      );
      await expect(setUserRole(fixture.accounts, by, { userId: root.userId, role: 'USER' })).rejects.toEqual(
        errorWithReason(reason),
      );
    }
  });
});

async function activeAmong(...actors: readonly UserActor[]): Promise<string[]> {
  const rows = await fixture.sql<{ id: string }>(
    `select id from account where id = any($1) and 'ADMIN' = any(roles) and disabled_at is null`,
    [actors.map(({ userId }) => userId)],
  );
  return rows.map(({ id }) => id);
}

function refusals(responses: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return responses.flatMap((response) => (response.status === 'rejected' ? [response.reason as unknown] : []));
}

/** Runs `work` while another transaction holds the locks of the statement, until all calls wait for them. */
async function whileHeld<T>(statement: string, work: () => readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  return withClient(fixture.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(statement);
    const working = work();
    const settled = Promise.allSettled(working);
    await waitUntil('all transactions wait', async () => (await fixture.waiting()) === working.length);
    await client.query('commit');
    return settled;
  });
}

describe('concurrent changes of administrators', () => {
  it.each([
    ['demote each other', demote, demote],
    ['keep each other out', disable, disable],
    ['demote and keep out each other', demote, disable],
  ])('leave exactly one administrator when two %s', async (_, change, back) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other] = [await fixture.administrator(), await fixture.administrator()];
      const refused = refusals(await Promise.allSettled([change(one, other), back(other, one)]));
      // An administrator who was disabled before the check gets TOKEN_REVOKED.
      expect([[errorWithReason('ADMIN_REQUIRED')], [errorWithReason('TOKEN_REVOKED')]]).toContainEqual(refused);
      expect(await activeAmong(one, other)).toHaveLength(1);
    }
  });

  it('leave one administrator when both passed the first check', async () => {
    const [one, other] = [await fixture.administrator(), await fixture.administrator()];
    const refused = refusals(
      await whileHeld(`select 1 from account where id in ('${one.userId}', '${other.userId}') for update`, () => [
        demote(one, other),
        disable(other, one),
      ]),
    );
    expect(refused).toEqual([errorWithReason('ADMIN_REQUIRED')]);
    expect(await activeAmong(one, other)).toHaveLength(1);
  });

  it('leave at least one of five administrators that each demote the next', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ring = await Promise.all(Array.from({ length: 5 }, () => fixture.administrator()));
      const responses = await Promise.allSettled(ring.map((by, place) => demote(by, ring[(place + 1) % ring.length]!)));
      for (const error of refusals(responses)) expect(error).toBeInstanceOf(DomainError);
      const out = responses.filter(({ status }) => status === 'fulfilled').length;
      expect(out).toBeLessThan(ring.length);
      expect(await activeAmong(...ring)).toHaveLength(ring.length - out);
    }
  });

  it("wait for a transaction that uses the administrator's right", async () => {
    const ada = await fixture.administrator();
    const [made, taken] = await whileHeld<unknown>('lock table api_key in share mode', () => {
      const making = createApiKeyAsAdmin(fixture.accounts, ada, { ...MATCHER, name: 'in time' });
      // Not before that has made sure of its right.
      const taking = waitUntil('the creation of the key waits', async () => (await fixture.waiting()) === 1).then(() =>
        demote(root, ada),
      );
      return [making, taking];
    });
    expect([made?.status, taken?.status]).toEqual(['fulfilled', 'fulfilled']);
    const actions = (await fixture.audited()).slice(-2).map(({ action }) => action);
    expect(actions).toEqual(['api-key.created', 'role.revoked']);
  });
});
