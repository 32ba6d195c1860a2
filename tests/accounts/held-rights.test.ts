import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireAdminInTransaction } from '../../src/accounts/identity/admin-guard.js';
import {
  grantAdmin,
  isAdmin,
  OPERATOR,
  requireActiveAccount,
  requireVerifiedEmail,
  setUserDisabled,
  setUserRole,
  updateProfile,
  type UserActor,
} from '../../src/accounts/index.js';
import { inTransaction } from '../../src/database/index.js';
import { isLockAwaited } from '../support/database/lock-waits.js';
import { waitUntil } from '../support/wait-until.js';
import { HOME, openPasswordsWorld, PASSWORD, type PasswordsWorld } from './passwords/passwords-fixture.js';

let world: PasswordsWorld;

beforeAll(async () => {
  world = await openPasswordsWorld();
});
afterAll(() => world.remove());

async function administrator(username: string): Promise<UserActor> {
  const actor = await world.join(username, `${username}@example.org`);
  await grantAdmin(world.accounts, username);
  return actor;
}

const disable = ({ userId }: UserActor) => setUserDisabled(world.accounts, OPERATOR, { userId, disabled: true });
const demote = ({ userId }: UserActor) => setUserRole(world.accounts, OPERATOR, { userId, role: 'USER' });
const removeEmail = (actor: UserActor) =>
  updateProfile(world.accounts, actor, { email: null, currentPassword: PASSWORD }, HOME);

type Requirement = (em: EntityManager, actor: UserActor) => Promise<unknown>;
type Loss = (actor: UserActor) => Promise<unknown>;

describe('a right that a transaction has looked at', () => {
  it.each<[string, Requirement, string, Loss]>([
    ['requireActiveAccount', (em, { userId }) => requireActiveAccount(em, userId), 'disabling the account', disable],
    ['isAdmin', (em, { userId }) => isAdmin(em, userId), 'demoting the account', demote],
    ['isAdmin', (em, { userId }) => isAdmin(em, userId), 'disabling the account', disable],
    ['requireAdminWithin', (em, actor) => requireAdminInTransaction(em, actor), 'demoting the account', demote],
    ['requireVerifiedEmail', (em, { userId }) => requireVerifiedEmail(em, userId), 'removing the address', removeEmail],
  ])('by %s holds until it ends (%#), and what takes it away waits', async (name, requirement, loss, lose) => {
    const actor = await administrator(`${name}-${loss.length}`);
    const order: string[] = [];
    let losing: Promise<unknown> = Promise.resolve();
    await inTransaction(world.database, async (em) => {
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
        async () => state.isOver || (await isLockAwaited(world.database)),
      );
      order.push('used');
    });
    await losing;
    expect(order).toEqual(['used', 'lost']);
  });
});
