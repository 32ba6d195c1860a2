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

/** An outbox of one test file's own. */
export interface OutboxWorld {
  readonly url: string;
  readonly database: Database;
  readonly clock: FakeClock;
  /** Commits a task that is due now. */
  enqueue(request?: Partial<NewTask>): Promise<string>;
  /** Commits an account, whose registration may owe tasks. */
  register(): Promise<string>;
  task(id: string): Promise<OutboxTask>;
  close(): Promise<void>;
}

export async function openOutboxWorld(): Promise<OutboxWorld> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, poolSize: 10, orm: ormConfig, warn: () => undefined });
  return worldOn(testDatabase, database, fakeClock());
}

function worldOn(testDatabase: TestDatabase, database: Database, clock: FakeClock): OutboxWorld {
  return {
    url: testDatabase.url,
    database,
    clock,
    enqueue: (request) =>
      inTransaction(database, (em) =>
        Promise.resolve(enqueueTask(em, { name: 'sample', payload: {}, ...request }, clock.now()).id),
      ),
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
    // In a transaction, since that is begun anew when the connection is lost.
    task: (id) => inTransaction(database, (em) => em.findOneOrFail(OutboxTask, { id })),
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
}
