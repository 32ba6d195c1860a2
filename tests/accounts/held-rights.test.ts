import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireAdminInTransaction } from '../../src/accounts/identity/admin-guard.js';
import {
  grantAdmin,
  isAdmin,
  OPERATOR,
  requireVerifiedEmail,
  setUserDisabled,
  setUserRole,
  updateProfile,
  type UserActor,
} from '../../src/accounts/index.js';
import { inTransaction } from '../../src/database/index.js';
import { isLockAwaited } from '../support/database/lock-waits.js';
import { waitUntil } from '../support/wait-until.js';
import { createPasswordsFixture, HOME, PASSWORD, type PasswordsFixture } from './passwords/passwords-fixture.js';

let fixture: PasswordsFixture;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
});
afterAll(() => fixture.remove());

async function administrator(username: string): Promise<UserActor> {
  const actor = await fixture.join(username, `${username}@example.org`);
  await grantAdmin(fixture.accounts, username);
  return actor;
}

const disable = ({ userId }: UserActor) => setUserDisabled(fixture.accounts, OPERATOR, { userId, disabled: true });
const demote = ({ userId }: UserActor) => setUserRole(fixture.accounts, OPERATOR, { userId, role: 'USER' });
const removeEmail = (actor: UserActor) =>
  updateProfile(fixture.accounts, actor, { email: null, currentPassword: PASSWORD }, HOME);

type Requirement = (em: EntityManager, actor: UserActor) => Promise<unknown>;
type Loss = (actor: UserActor) => Promise<unknown>;

describe('row lock of a check in a transaction', () => {
  it.each<[string, Requirement, string, Loss]>([
    ['isAdmin', (em, { userId }) => isAdmin(em, userId), 'demoting the account', demote],
    ['isAdmin', (em, { userId }) => isAdmin(em, userId), 'disabling the account', disable],
    ['requireAdminWithin', (em, actor) => requireAdminInTransaction(em, actor), 'demoting the account', demote],
    ['requireVerifiedEmail', (em, { userId }) => requireVerifiedEmail(em, userId), 'removing the address', removeEmail],
  ])('by %s lasts until commit, and a concurrent revocation waits (%#)', async (name, requirement, loss, lose) => {
    const actor = await administrator(`${name}-${loss.length}`);
    const order: string[] = [];
    let losing: Promise<unknown> = Promise.resolve();
    await inTransaction(fixture.database, async (em) => {
      await requirement(em, actor);
      const state = { isOver: false };
      losing = lose(actor)
        .then(() => {
          order.push('lost');
        })
        .finally(() => {
          state.isOver = true;
        });
      await waitUntil(
        'the loss waits, or has happened',
        async () => state.isOver || (await isLockAwaited(fixture.database)),
      );
      order.push('used');
    });
    await losing;
    expect(order).toEqual(['used', 'lost']);
  });
});
