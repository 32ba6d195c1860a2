import pg from 'pg';
import ormConfig from '../../../mikro-orm.config.js';
import { type AnonymousActor } from '../../../src/accounts/identity/actor.js';
import {
  newId,
  ServerSecret,
  type ApiKeyScope,
  type ServiceActor,
  type UserActor,
} from '../../../src/accounts/index.js';
import { usernameKey } from '../../../src/accounts/input/username.js';
import { DAY_SECONDS } from '../../../src/async/durations.js';
import { openDatabase } from '../../../src/database/index.js';
import { UnauthenticatedError } from '../../../src/errors/index.js';
import {
  ChangeFeed,
  createGroup,
  createGroupLoaders,
  GroupWriteQueue,
  inviteToGroup,
  ResponseBatcher,
  type GroupFields,
  type GroupsDeps,
} from '../../../src/groups/index.js';
import { createTestDatabase } from '../database/test-database.js';
import { fakeClock, type FakeClock } from '../fake-clock.js';
import { RecordingMailer } from '../recording-mailer.js';

const POOL_SIZE = 10;
/** The default settings. */
const INVITATION_MAIL_QUOTAS = {
  byInviter: { quota: 200, windowSeconds: DAY_SECONDS },
  toAddress: { quota: 5, windowSeconds: DAY_SECONDS },
};

export const ANONYMOUS: AnonymousActor = {
  kind: 'anonymous',
  authenticationError: new UnauthenticatedError('TOKEN_MISSING'),
};

export interface GroupsFixture {
  readonly deps: GroupsDeps;
  /** The URL of its database. */
  readonly url: string;
  readonly clock: FakeClock;
  readonly mailer: RecordingMailer;
  /** The ids of tasks passed to `dispatchTasks`. */
  readonly dispatchedTaskIds: string[];
  /** Runs SQL, to read or to arrange stored data. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Where the calls of the use cases run. */
export type CallsOfFixture = 'in separate processes' | 'in one process';

/**
 * Creates a database for the test file, with the dependencies of the group use cases and a fake clock.
 *
 * @param calls `in separate processes`: each call has an own write queue and lane, so that only the database orders
 *   concurrent changes; `in one process`: all calls share them, as in the service
 */
export async function createGroupsFixture(calls: CallsOfFixture = 'in separate processes'): Promise<GroupsFixture> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({
    url: testDatabase.url,
    poolSize: POOL_SIZE,
    orm: ormConfig,
    warn: console.warn,
  });
  const clock = fakeClock();
  const mailer = new RecordingMailer();
  const dispatchedTaskIds: string[] = [];
  const loaders = createGroupLoaders(database);
  const changeFeed = new ChangeFeed({ database, loaders, onError: console.warn });
  const createWriters = (): Pick<GroupsDeps, 'writeQueue' | 'responses'> => {
    const writeQueue = new GroupWriteQueue();
    return { writeQueue, responses: new ResponseBatcher({ database, writeQueue, changeFeed, clock }) };
  };
  const shared = createWriters();
  const writersOfCall = calls === 'in one process' ? () => shared : createWriters;
  return {
    deps: {
      database,
      clock,
      mailer,
      loaders,
      changeFeed,
      serverSecret: new ServerSecret([Buffer.alloc(32, 7)]),
      get writeQueue() {
        return writersOfCall().writeQueue;
      },
      get responses() {
        return writersOfCall().responses;
      },
      frontendUrl: 'http://localhost:4000',
      invitationMailQuotas: INVITATION_MAIL_QUOTAS,
      dispatchTasks: (taskIds) => {
        dispatchedTaskIds.push(...taskIds);
      },
    },
    url: testDatabase.url,
    clock,
    mailer,
    dispatchedTaskIds,
    sql: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      // The pool returns times as text. The driver's own parsers make them dates.
      const result = await database.pool.query<Row>({ text, values: [...values], types: pg.types });
      return result.rows;
    },
    close: async () => {
      await changeFeed.flush();
      await database.close();
      await testDatabase.drop();
    },
  };
}

type Some = [UserActor, ...UserActor[]];

export async function createUsers(fixture: GroupsFixture, count: 2): Promise<[UserActor, UserActor]>;
export async function createUsers(fixture: GroupsFixture, count: 3): Promise<[UserActor, UserActor, UserActor]>;
export async function createUsers(fixture: GroupsFixture, count: number): Promise<Some>;
export async function createUsers(fixture: GroupsFixture, count: number): Promise<Some> {
  return [
    await createUser(fixture),
    ...(await Promise.all(Array.from({ length: count - 1 }, () => createUser(fixture)))),
  ];
}

/** Creates an account and returns its signed-in actor. */
export async function createUser(fixture: GroupsFixture, username?: string): Promise<UserActor> {
  const actor: UserActor = { kind: 'user', userId: newId(), sessionId: newId() };
  const name = username ?? `p-${actor.userId.slice(-12)}`;
  await fixture.sql(
    `insert into account (id, username, username_key, password_hash, created_at) values ($1, $2, $3, 'none', $4)`,
    [actor.userId, name, usernameKey(name), fixture.clock.now()],
  );
  return actor;
}

export async function createAdmin(fixture: GroupsFixture): Promise<UserActor> {
  const actor = await createUser(fixture);
  await fixture.sql(`update account set roles = '{USER,ADMIN}' where id = $1`, [actor.userId]);
  return actor;
}

export function serviceActor(scopes: readonly ApiKeyScope[], groupIds: readonly string[] | null = null): ServiceActor {
  return { kind: 'service', apiKeyId: newId(), name: 'matchmaker', scopes, groupIds };
}

/** Creates a group of `owner` with the invited `members`; returns its id. */
export async function createGroupWithMembers(
  fixture: GroupsFixture,
  owner: UserActor,
  members: readonly UserActor[] = [],
  fields: GroupFields = {},
): Promise<string> {
  const { group } = await createGroup(fixture.deps, owner, { ...fields, name: fields.name ?? 'Supper club' });
  if (members.length > 0)
    await inviteToGroup(fixture.deps, owner, {
      groupId: group.id,
      invitees: members.map(({ userId }) => ({ userId })),
    });
  return group.id;
}
