import { expect } from '@jest/globals';
import {
  createAccountLoaders,
  RevocationRegistry,
  UNLIMITED,
  type Actor,
  type PasswordHasher,
} from '../../src/accounts/index.js';
import {
  countDeletionEffects,
  deleteAccount,
  ERASE_ACCOUNT_TASK,
  listBlockingGroups,
  listChangingGroups,
} from '../../src/person-lifecycle/index.js';
import { runDueTasks } from './due-tasks.js';
import type { GroupsFixture } from './groups-fixture.js';

export const PASSWORD = 'seven quiet lanterns';

/** All that the preview shows of deleting someone's account. */
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

/** As the accounts of `person` are stored: everyone has the same password. */
export const SHARED_PASSWORD_HASHER: PasswordHasher = {
  hash: () => Promise.resolve('none'),
  verify: (hash, password) => Promise.resolve(hash !== null && password === PASSWORD),
  needsRehash: () => false,
};

export interface DeletionFixture {
  readonly revocations: RevocationRegistry;
  /** Deletes someone's account, with all that its task does afterwards. */
  delete(actor: Actor, password?: string): Promise<{ readonly deletedUserId: string }>;
  /** The request alone: the task has yet to run. */
  request(actor: Actor, password?: string): Promise<{ readonly deletedUserId: string }>;
  /** Once everybody has been told of the sessions that ended. */
  settled(): Promise<void>;
}

/** What deleting accounts takes beyond what groups are given. @param hasher knows the password of `person` unless it is another */
export function createDeletionFixture(
  world: GroupsFixture,
  hasher: PasswordHasher = SHARED_PASSWORD_HASHER,
): DeletionFixture {
  const { database, clock, serverSecret, dispatchTasks } = world.deps;
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
    deleteAccount({ ...deps, writeQueue: world.deps.writeQueue }, actor, password, {
      address: '192.0.2.1',
      userAgent: null,
    });
  return {
    revocations,
    delete: async (actor, password) => {
      const deleted = await request(actor, password);
      await runDueTasks(world, ERASE_ACCOUNT_TASK);
      return deleted;
    },
    request,
    settled: () => revocations.flush(),
  };
}
