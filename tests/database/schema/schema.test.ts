import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import config from '../../../mikro-orm.config.js';
import { Account } from '../../../src/accounts/index.js';
import { NoticeRecipient } from '../../../src/accounts/security-notices/notice-recipient.entity.js';
import { OutboxTask } from '../../../src/database/index.js';
import { GroupChange } from '../../../src/groups/model/group-change.entity.js';
import { Group } from '../../../src/groups/model/group.entity.js';
import { ResponseCounts } from '../../../src/groups/model/response-counts.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  withClient,
  type TestDatabase,
} from '../../support/database/test-database.js';

/** Tables that no entity maps: other software reads and writes them, or SQL statements only. */
const TABLES_WITHOUT_ENTITY = {
  account_directory: 'Triggers write it, and statements read it.',
  agenda_jobs: 'Agenda reads and writes it.',
  known_address: 'Login throttling upserts it by SQL.',
  migration: 'The migrator of MikroORM reads and writes it.',
  rate_limit: 'rate-limiter-flexible reads and writes it.',
  session_revocation: 'Revocation inserts it by SQL, together with the deletion of the sessions.',
};

/** Differences that MikroORM 7.2 reports where there is none. The comparison of the catalogs covers these names too. */
const FALSE_DIFFERENCES = [
  // It takes the sort order of `id` from `actor_id` or `subject_id`.
  'audit_event_actor',
  'audit_event_subject',
  // It removes half of the type's name from the cast to `double precision`.
  'compatibility_score_value_check',
];

/** MikroORM cannot declare triggers that are fired by some columns only. It names their functions after them. */
const TRIGGERS_OF_COLUMNS = [
  'account_renamed',
  'account_account_renamed_fn',
  'member_inviter_cleared',
  'member_member_inviter_cleared_fn',
];

const COLUMNS = `
  select format('%I.%I %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' end, ' default ' || pg_get_expr(d.adbin, d.adrelid)) as definition
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid left join pg_attrdef d on (d.adrelid, d.adnum) = (c.oid, a.attnum)
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
    and c.relname <> all($1)`;
const CONSTRAINTS = `
  select format('%s %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as definition
  from pg_constraint
  where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid::regclass::text <> all($1)`;
const INDEXES = `
  select indexdef as definition from pg_indexes where schemaname = 'public' and tablename <> all($1)`;

let migrated: TestDatabase;
let orm: MikroORM;

beforeAll(async () => {
  migrated = await createTestDatabase();
  orm = await openOrm(migrated);
});
afterAll(async () => {
  await orm.close();
  await migrated.drop();
});

function openOrm(database: TestDatabase): Promise<MikroORM> {
  const schemaGenerator = { skipTables: Object.keys(TABLES_WITHOUT_ENTITY) };
  return MikroORM.init({ ...config, clientUrl: database.url, schemaGenerator });
}

async function withSchemaOfEntities<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const created = await createEmptyDatabase();
  const empty = await openOrm(created);
  try {
    await empty.schema.create();
    return await work(created);
  } finally {
    await empty.close();
    await created.drop();
  }
}

async function readDefinitions(database: TestDatabase, query: string): Promise<string[]> {
  const { rows } = await withClient(database.url, (client) =>
    client.query<{ definition: string }>(query, [Object.keys(TABLES_WITHOUT_ENTITY)]),
  );
  return rows.map(({ definition }) => definition).sort();
}

describe('the schema of the entities', () => {
  it('equals the migrated database by the schema comparison of MikroORM', async () => {
    const statements = (await orm.schema.getUpdateSchemaSQL({ wrap: false })).split('\n').filter(Boolean);
    const expected = [...FALSE_DIFFERENCES, ...TRIGGERS_OF_COLUMNS];
    expect(statements.filter((sql) => !expected.some((name) => sql.includes(`"${name}"`)))).toEqual([]);
  });

  it('equals the migrated database in every column, constraint and index of the catalog', async () => {
    await withSchemaOfEntities(async (created) => {
      for (const query of [COLUMNS, CONSTRAINTS, INDEXES])
        expect(await readDefinitions(created, query)).toEqual(await readDefinitions(migrated, query));
    });
  });

  it('contains every table except the listed ones', async () => {
    const { rows } = await withClient(migrated.url, (client) =>
      client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`),
    );
    const mapped = [...orm.getMetadata().getAll().values()].filter(({ embeddable }) => !embeddable);
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [...mapped.map(({ tableName }) => tableName), ...Object.keys(TABLES_WITHOUT_ENTITY)].sort(),
    );
  });

  it('inserts rows after the rows that they refer to', async () => {
    const at = new Date();
    const em = orm.em.fork();
    const [userId, taskId, groupId] = [randomUUID(), randomUUID(), randomUUID()];
    const created = { createdAt: at, stateChangedAt: at, revision: 1, answersRevision: 1 };
    const change = { groupId, revision: 1, cause: 'CREATED', actorId: userId, stateAfter: 'FORMING', at } as const;
    em.persist([
      em.create(NoticeRecipient, { taskId, userId, email: 'a@example.org' }),
      em.create(GroupChange, { ...change, counts: new ResponseCounts() }),
      em.create(OutboxTask, {
        id: taskId,
        name: 'notify',
        payload: {},
        registeredUserId: userId,
        createdAt: at,
        dueAt: at,
      }),
      em.create(Group, { id: groupId, name: 'Choir', state: 'FORMING', ...created }),
      em.create(Account, { id: userId, username: 'ada', usernameKey: 'ada', passwordHash: '', createdAt: at }),
    ]);
    await em.flush();
    expect(await orm.em.fork().count(NoticeRecipient, { taskId })).toBe(1);
  });
});
