import { expect } from '@jest/globals';
import {
  createAccountLoaders,
  RevocationRegistry,
  UNLIMITED,
  type Actor,
  type PasswordHasher,
} from '../../../src/accounts/index.js';
import {
  countDeletionEffects,
  deleteAccount,
  ERASE_ACCOUNT_TASK,
  listBlockingGroups,
  listChangingGroups,
} from '../../../src/person-lifecycle/index.js';
import { runDueTasks } from './due-tasks.js';
import type { GroupsFixture } from './groups-fixture.js';

const PASSWORD = 'seven quiet lanterns';

/** Returns the complete preview of deleting an account. */
export async function previewDeletion(
  { deps }: Pick<GroupsFixture, 'deps'>,
  actor: Actor,
  userId: string,
  first = 100,
) {
  const [blockingGroups, changingGroups, totals] = [
    await listBlockingGroups(deps, actor, { userId, first }),
    await listChangingGroups(deps, actor, { userId, first }),
    await countDeletionEffects(deps, actor, userId),
  ];
  expect([blockingGroups.length, changingGroups.length]).toEqual([
    Math.min(first, totals.blockingGroups),
    Math.min(first, totals.changingGroups),
  ]);
  return { blockingGroups, changingGroups, sentInvitations: totals.sentInvitations };
}

/** A hasher that accepts the same password for every account of `createUser`. */
export const SHARED_PASSWORD_HASHER: PasswordHasher = {
  hash: () => Promise.resolve('none'),
  verify: (hash, password) => Promise.resolve(hash !== null && password === PASSWORD),
  needsRehash: () => false,
};

export interface DeletionFixture {
  readonly revocations: RevocationRegistry;
  /** Deletes an account, including the work of its task. */
  delete(actor: Actor, password?: string): Promise<{ readonly deletedUserId: string }>;
  /** Only requests the deletion. The task remains to be run. */
  request(actor: Actor, password?: string): Promise<{ readonly deletedUserId: string }>;
  /** Resolves after all session revocations are published. */
  flushRevocations(): Promise<void>;
}

/**
 * Creates the fixture of account deletion on top of a groups fixture.
 *
 * @param hasher accepts `PASSWORD` by default
 */
export function createDeletionFixture(
  fixture: GroupsFixture,
  hasher: PasswordHasher = SHARED_PASSWORD_HASHER,
): DeletionFixture {
  const { database, clock, serverSecret, dispatchTasks } = fixture.deps;
  const revocations = new RevocationRegistry({ database, clock, accessTokenTtlMs: 900_000, onError: console.warn });
  const deps = {
    database,
    clock,
    serverSecret,
    revocations,
    loaders: createAccountLoaders(database),
    hasher,
    limits: UNLIMITED,
    dispatchTasks,
  };
  const request: DeletionFixture['request'] = (actor, password = PASSWORD) =>
    deleteAccount({ ...deps, writeQueue: fixture.deps.writeQueue }, actor, password, {
      address: '192.0.2.1',
      userAgent: null,
    });
  return {
    revocations,
    delete: async (actor, password) => {
      const deleted = await request(actor, password);
      await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
      return deleted;
    },
    request,
    flushRevocations: () => revocations.flush(),
  };
}
