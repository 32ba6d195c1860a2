import { v7 as uuidv7 } from 'uuid';
import ormConfig from '../../../mikro-orm.config.js';
import { Account } from '../../../src/accounts/index.js';
import {
  enqueueTask,
  inTransaction,
  openDatabase,
  OutboxTask,
  type Database,
  type NewTask,
} from '../../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { fakeClock, type FakeClock } from '../../support/fake-clock.js';

/** Database with an outbox, for one test file. */
export interface OutboxFixture {
  readonly url: string;
  readonly database: Database;
  readonly clock: FakeClock;
  /** Commits a task that is due now. */
  enqueue(request?: Partial<NewTask>): Promise<string>;
  /** Commits a follow-up of an account's registration. */
  enqueueFollowUp(userId: string, request?: Partial<NewTask>): Promise<string>;
  /** Commits an account, whose registration may have enqueued tasks. */
  register(): Promise<string>;
  task(id: string): Promise<OutboxTask>;
  close(): Promise<void>;
}

export async function createOutboxFixture(): Promise<OutboxFixture> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, poolSize: 10, orm: ormConfig, warn: () => undefined });
  return createFixtureOn(testDatabase, database, fakeClock());
}

function createFixtureOn(testDatabase: TestDatabase, database: Database, clock: FakeClock): OutboxFixture {
  return {
    url: testDatabase.url,
    database,
    clock,
    enqueue: (request) =>
      inTransaction(database, (em) =>
        Promise.resolve(enqueueTask(em, { name: 'sample', payload: {}, ...request }, clock.now()).id),
      ),
    enqueueFollowUp: (userId, request) =>
      inTransaction(database, (em) => {
        const task = enqueueTask(em, { name: 'sample', payload: {}, ...request }, clock.now());
        return Promise.resolve(Object.assign(task, { registeredUserId: userId }).id);
      }),
    register: () =>
      inTransaction(database, (em) => {
        const id = uuidv7();
        em.create(
          Account,
          { id, username: id, usernameKey: id, passwordHash: 'none', createdAt: clock.now() },
          { persist: true },
        );
        return Promise.resolve(id);
      }),
    // In a transaction, which is retried when the connection is lost.
    task: (id) => inTransaction(database, (em) => em.findOneOrFail(OutboxTask, { id })),
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
}
