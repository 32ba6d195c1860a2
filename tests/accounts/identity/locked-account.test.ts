import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isAccountLocked, lockAccounts } from '../../../src/accounts/identity/locked-account.js';
import {
  Account,
  eraseAccount,
  lockAccount,
  markEmailVerified,
  newId,
  requireLockedAccount,
  verifiedEmailKeyOf,
  type LockedAccount,
} from '../../../src/accounts/index.js';
import { EmailVerification } from '../../../src/accounts/mailed-links/email-verification.entity.js';
import {
  cancelEmailVerification,
  findEmailVerification,
  startEmailVerification,
} from '../../../src/accounts/mailed-links/email-verification.js';
import { setPassword } from '../../../src/accounts/passwords/set-password.js';
import { revokeLeastRecentlyUsed, revokeSessions } from '../../../src/accounts/revocation/revoke-sessions.js';
import { enqueueSecurityNotice } from '../../../src/accounts/security-notices/enqueue-security-notice.js';
import { inTransaction } from '../../../src/database/index.js';
import { countStatements } from '../../support/database/count-statements.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { waitUntil } from '../../support/wait-until.js';
import { createPasswordsFixture, type PasswordsFixture } from '../passwords/passwords-fixture.js';

let fixture: PasswordsFixture;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
});
afterAll(() => fixture.remove());

function transact<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
  return inTransaction(fixture.database, work);
}

async function join(username: string): Promise<string> {
  return (await fixture.join(username, `${username}@example.org`)).userId;
}

async function displayNameOf(userId: string): Promise<string | null | undefined> {
  const select = 'select display_name as name from account where id = $1';
  return (await fixture.sql<{ name: string | null }>(select, [userId]))[0]?.name;
}

/** Holds the account's lock until the work, which begins meanwhile, waits for it; then changes the account. */
async function whileHeld<T>(userId: string, work: () => Promise<T>): Promise<T> {
  let waiting: Promise<T> | undefined;
  await transact(async (em) => {
    const account = await requireLockedAccount(em, userId);
    waiting = work();
    await waitUntil('the other transaction waits', () => isLockAwaited(fixture.database));
    account.displayName = 'Changed meanwhile';
  });
  return waiting!;
}

describe('lockAccount', () => {
  it('returns every column as committed by earlier transactions', async () => {
    const userId = await join('ada');
    const read = await whileHeld(userId, () => transact(async (em) => ({ ...(await lockAccount(em, userId)) })));
    const stored = await fixture.database.fork().findOneOrFail(Account, userId);
    expect(read).toEqual({ ...stored });
    const emailVerifiedAt = fixture.clock.now();
    expect(read).toMatchObject({ displayName: 'Changed meanwhile', roles: ['USER'], emailVerifiedAt });
  });

  it('refreshes an entity that was loaded before the lock', async () => {
    const userId = await join('grace');
    const name = await transact(async (em) => {
      await em.findOneOrFail(Account, userId);
      return whileHeld(userId, async () => (await lockAccount(em, userId))?.displayName);
    });
    expect(name).toBe('Changed meanwhile');
  });

  it('reads once: a second call runs no statement and keeps unflushed changes', async () => {
    const userId = await join('joan');
    await transact(async (em) => {
      const account = await requireLockedAccount(em, userId);
      account.displayName = 'Joan';
      const { result, statements } = await countStatements(() => lockAccount(em, userId));
      expect([result === account, statements]).toEqual([true, 0]);
    });
    expect(await displayNameOf(userId)).toBe('Joan');
  });

  it('writes nothing', async () => {
    const userId = await join('mary');
    const { statements } = await countStatements(() => transact((em) => lockAccount(em, userId)));
    expect(statements).toBe(['begin', 'select', 'commit'].length);
  });

  it('returns null for an unknown account, for which requireLockedAccount throws TOKEN_REVOKED', async () => {
    expect(await transact((em) => lockAccount(em, newId()))).toBeNull();
    await expect(transact((em) => requireLockedAccount(em, newId()))).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
    const userId = await join('radia');
    await fixture.sql('update account set disabled_at = now() where id = $1', [userId]);
    await expect(transact((em) => requireLockedAccount(em, userId))).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
  });

  it('throws outside a transaction', async () => {
    const userId = await join('sophie');
    await expect(lockAccount(fixture.database.fork(), userId)).rejects.toThrow('Account lock needs a transaction');
  });

  it('allows concurrent inserts that reference the account, unless it is locked for erasure', async () => {
    const userId = await join('lise');
    const refer = 'insert into known_address (user_id, network_mac, last_login_at) values ($1, $2, now())';
    await transact(async (em) => {
      await lockAccount(em, userId);
      await fixture.sql(refer, [userId, Buffer.alloc(32, 1)]);
    });
    let referring: Promise<unknown> = Promise.resolve();
    await transact(async (em) => {
      await lockAccount(em, userId, 'exclusive');
      referring = fixture.sql(refer, [userId, Buffer.alloc(32, 2)]);
      await waitUntil('the row waits', () => isLockAwaited(fixture.database));
    });
    await referring;
  });

  it('locks several accounts in one order, without a deadlock', async () => {
    const ids = [await join('emmy'), await join('ida')];
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        transact(async (em) => (await lockAccounts(em, index % 2 === 0 ? ids : ids.toReversed())).size),
      ),
    );
    expect(counts).toEqual(Array(20).fill(2));
  });
});

describe("guard against writes without the account's lock", () => {
  const NOW = new Date('2026-01-01T00:00:00Z');
  const NEW_PASSWORD = { passwordHash: 'x', notice: 'notify_password_changed' } as const;

  it('rejects a write to an account that is not locked, and writes nothing', async () => {
    const userId = await join('wrong-assign');
    const wrong = transact(async (em) => {
      const account = await em.findOneOrFail(Account, userId);
      em.assign(account, { displayName: 'Written all the same' });
    });
    await expect(wrong).rejects.toThrow(`Account ${userId} is written without its lock; get it from lockAccount`);
    expect(await displayNameOf(userId)).toBeNull();
  });

  it('rejects the removal of an account that is not locked', async () => {
    const userId = await join('wrong-remove');
    const wrong = transact(async (em) => {
      em.remove(await em.findOneOrFail(Account, userId));
    });
    await expect(wrong).rejects.toThrow('without its lock');
    expect(await displayNameOf(userId)).toBeNull();
  });

  it('rejects a write to the email verification of an account that is not locked', async () => {
    const userId = await join('wrong-pending');
    await transact(async (em) =>
      startEmailVerification(em, await requireLockedAccount(em, userId), 'another@example.org', NOW),
    );
    const wrong = transact(async (em) => {
      em.assign(await em.findOneOrFail(EmailVerification, { userId }), { usedAt: NOW });
    });
    await expect(wrong).rejects.toThrow('without its lock');
  });

  it.each<[string, (em: EntityManager, account: LockedAccount) => Promise<unknown>]>([
    ['askForProof', (em, account) => startEmailVerification(em, account, 'another@example.org', NOW)],
    ['cancelEmailVerification', (em, account) => cancelEmailVerification(em, account)],
    ['findEmailVerification', (em, account) => findEmailVerification(em, account)],
    ['revokeSessions', (em, account) => revokeSessions(em, { account }, NOW)],
    ['revokeLeastUsed', (em, account) => revokeLeastRecentlyUsed(em, account, 1, NOW)],
    ['oweNotice', (em, account) => enqueueSecurityNotice(em, account, 'notify_password_changed', NOW)],
    ['setPassword', (em, account) => setPassword(em, account, NEW_PASSWORD, NOW)],
    ['eraseAccount', (em, account) => eraseAccount(em, account, NOW)],
  ])('rejects a call of %s with an account of an earlier transaction', async (name, write) => {
    const userId = await join(`stale-${name}`);
    const stale = await transact((em) => requireLockedAccount(em, userId));
    await expect(transact((em) => write(em, stale))).rejects.toThrow('was locked by another transaction');
  });

  it('accepts a locked account', async () => {
    const userId = await join('right');
    await transact(async (em) => {
      em.assign(await requireLockedAccount(em, userId), { displayName: 'Right' });
      expect([isAccountLocked(em, userId), isAccountLocked(fixture.database.fork(), userId)]).toEqual([true, false]);
    });
    expect(await displayNameOf(userId)).toBe('Right');
  });

  it('does not compile for an account that was read without a lock', () => {
    expect(wrongTypes).toBeInstanceOf(Function);
  });

  /** Never called: `npm run typecheck` fails when one of these lines is no type error. */
  async function wrongTypes(em: EntityManager): Promise<void> {
    const account = await em.findOneOrFail(Account, newId());
    // @ts-expect-error A column of an account that is not locked is read-only.
    account.emailVerifiedAt = NOW;
    // @ts-expect-error A column of an account that is not locked is read-only.
    account.passwordHash = 'x';
    // @ts-expect-error So are its roles, one by one.
    account.roles[0] = 'ADMIN';
    // @ts-expect-error A LockedAccount is needed.
    await startEmailVerification(em, account, 'another@example.org', NOW);
    // @ts-expect-error A LockedAccount is needed.
    await cancelEmailVerification(em, account);
    // @ts-expect-error A LockedAccount is needed.
    await markEmailVerified(em, account, 'another@example.org', NOW);
    // @ts-expect-error A LockedAccount is needed.
    verifiedEmailKeyOf(account);
    // @ts-expect-error A LockedAccount is needed.
    await setPassword(em, account, NEW_PASSWORD, NOW);
    // @ts-expect-error A LockedAccount is needed.
    await revokeSessions(em, { account }, NOW);
    // @ts-expect-error A LockedAccount is needed.
    await revokeLeastRecentlyUsed(em, account, 1, NOW);
    // @ts-expect-error A LockedAccount is needed.
    await enqueueSecurityNotice(em, account, 'notify_password_changed', NOW);
    // @ts-expect-error A LockedAccount is needed.
    await eraseAccount(em, account, NOW);
  }
});
