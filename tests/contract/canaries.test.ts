import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EngineName } from '../../src/graphql/engines/engine.js';
import { ROUTES } from '../../src/rest/index.js';
import { sendBadDocuments } from './canaries/bad-documents.js';
import { CanaryFixture } from './canaries/canary-fixture.js';
import { passwordOf, run } from './canaries/canary-users.js';
import { rootFields } from './canaries/documents.js';
import { fuzzEveryPosition, fuzzRequestMetadata, sendSecretsInWrongFields } from './canaries/every-operation.js';
import { fuzzEveryPath, requestUnknownPaths } from './canaries/every-path.js';
import { UNREACHABLE } from './canaries/failing-mailer.js';
import { failures, injectMailFailures, injectWriteFailures } from './canaries/faults.js';
import { runHappyPaths, type CanaryActors } from './canaries/happy-paths.js';
import { ALL_SHAPES, findMarks, SECRET, type Shape } from './canaries/marks.js';
import { eventsIn } from './canaries/raw-log.js';
import { storedText } from './canaries/stored-text.js';

/** Columns that store names, texts and addresses. A session also stores its user agent. */
const HOMES = [
  'account.display_name',
  'account.email',
  'account.email_key',
  'account.username',
  'account.username_key',
  'api_key.name',
  'compatibility_score.source',
  'email_verification.email',
  'email_verification.email_key',
  'group_change.api_key',
  'groups.description',
  'groups.name',
  'invitation.email',
  'invitation.email_key',
  'invitation_mail.email_key',
  'session.user_agent',
];

/** Columns that store addresses until a mail is sent, which may already have happened. */
const PASSING = ['notice_recipient.email', 'password_reset.email_key'];

/** Columns that store addresses. Only values sent as an address have this domain. */
const ADDRESSES = HOMES.filter((column) => /email/.test(column));
const ADDRESS = /@mail\.example\.org/i;

/** Characters that PostgreSQL, Python, editors and terminals treat as the end of a line. */
const LINE_ENDS = /\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/;

/** Some of the tests send thousands of requests. */
const LIMIT_MS = 300_000;

const CONSOLE = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** The engines share most code, so fewer values are sent to the second. */
const RUNS: readonly (readonly [EngineName, readonly Shape[]])[] = [
  ['yoga', ALL_SHAPES],
  ['apollo', ['password', 'hostile']],
];

describe.each(RUNS)('canary values sent to %s', (engine, shapes) => {
  const said: unknown[] = [];
  let fixture: CanaryFixture;
  let actors: CanaryActors;

  beforeAll(async () => {
    for (const method of CONSOLE)
      jest.spyOn(console, method).mockImplementation((...words: unknown[]) => {
        said.push(words);
      });
    fixture = await CanaryFixture.open(engine);
    actors = await runHappyPaths(fixture);
  }, LIMIT_MS);
  afterAll(async () => {
    jest.restoreAllMocks();
    await fixture.service.remove();
  });

  function expectNoLeaks(): void {
    expect({ ...fixture.leaks(), said }).toEqual({ logged: [], repeated: [], said: [] });
  }

  it('are in no log and no response of successful operations, and every operation and path is run', () => {
    const all = [
      ...rootFields().map(({ field: { name } }) => name),
      ...ROUTES.map(({ method, path }) => `${method} ${path}`),
    ];
    expect(all.filter((each) => !fixture.succeeded.has(each))).toEqual([]);
    expectNoLeaks();
  });

  it(
    'are in no log and no error from any position of an operation',
    async () => {
      expect(await fuzzEveryPosition(fixture, actors, shapes)).toBeGreaterThan(500);
      await sendBadDocuments(fixture, actors, shapes);
      await fuzzRequestMetadata(fixture, actors, shapes);
      expectNoLeaks();
    },
    LIMIT_MS,
  );

  it(
    'are in no log and no error from any position of a path, query, body or header',
    async () => {
      await fuzzEveryPath(fixture, actors, shapes);
      await requestUnknownPaths(fixture, actors, shapes);
      expectNoLeaks();
    },
    LIMIT_MS,
  );

  it('are in no log and no error when they are real tokens, keys or links of a user', async () => {
    const input = { username: actors.member.username, password: passwordOf('member') };
    const { accessToken, refreshToken } = await run<{ accessToken: string; refreshToken: string }>(
      fixture,
      fixture.anonymous,
      'issueToken',
      { input },
    );
    await run(fixture, actors.owner, 'inviteToGroup', {
      input: { groupId: actors.groupId, invitees: [{ email: 'canary-text-real@mail.example.org' }] },
    });
    await sendSecretsInWrongFields(fixture, actors, [
      accessToken,
      refreshToken,
      await fixture.linkTo('canary-text-real@mail.example.org'),
      actors.apiClient.token ?? '',
    ]);
    expectNoLeaks();
  });

  it('are neither stored nor logged after a mail that cannot be sent', async () => {
    const failed = await injectMailFailures(fixture, actors);
    expect(failed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mail_invitation', 'reset_password', 'verify_email']),
    );
    for (const { error } of [...failed, ...(await failures(fixture))])
      expect(error).toMatch(/^550 5\.1\.1 <…@…>: refused by mx\.example\.org /);
    expect(JSON.stringify([failed, await failures(fixture)])).not.toContain(UNREACHABLE);
    expectNoLeaks();
  });

  it(
    'are neither stored nor logged after a failing statement',
    async () => {
      const errorsBefore = fixture.unexpectedErrors;
      const { tables, failed } = await injectWriteFailures(fixture, actors);
      expect(tables.length).toBeGreaterThan(10);
      expect(failed).toContainEqual({
        name: 'announce_registration',
        error: 'A statement failed (SQLSTATE P0001).',
      });
      expect(fixture.unexpectedErrors - errorsBefore).toBeGreaterThan(20);
      expect(
        eventsIn(fixture.log.text()).filter(({ msg }) => msg === 'Unexpected error while handling a request'),
      ).toHaveLength(fixture.unexpectedErrors);
      expectNoLeaks();
    },
    LIMIT_MS,
  );

  it('are stored in the expected columns only, and passwords, tokens, keys and links in none', async () => {
    await fixture.waitForTasks();
    const stored = await storedText(fixture.service.database.pool);
    const having = (finds: (text: string) => readonly unknown[]): string[] =>
      [...stored]
        .flatMap(([column, text]) => (PASSING.includes(column) || finds(text).length === 0 ? [] : [column]))
        .toSorted();
    expect(having((text) => findMarks(text))).toEqual(HOMES);
    expect(having((text) => ADDRESS.exec(text) ?? [])).toEqual(ADDRESSES);
    expect(
      [...stored].flatMap(([column, text]) =>
        [...findMarks(text, SECRET), ...fixture.issued.findIn(text)].map((found) => `${column}: ${found}`),
      ),
    ).toEqual([]);
    expect(fixture.issued.count).toBeGreaterThan(20);
  });

  it('are passed to the jobs as ids and numbers only', async () => {
    const payloads = await fixture.sql<{ payload: Record<string, unknown> }>('select payload from outbox_task');
    for (const value of payloads.flatMap(({ payload }) => Object.values(payload)))
      expect(value).toEqual(typeof value === 'number' ? expect.any(Number) : expect.stringMatching(/^[0-9a-f-]{36}$/));
    const jobs = await fixture.sql<{ data: unknown; reason: unknown }>(
      'select data, fail_reason as reason from agenda_jobs',
    );
    for (const { data, reason } of jobs)
      expect({ data, reason }).toEqual({ data: { taskIds: expect.any(Array) }, reason: null });
  });

  it('forge and split no log line: each line is one event that really happened', () => {
    const text = fixture.log.text();
    const events = eventsIn(text);
    expect(text.split(LINE_ENDS)).toHaveLength(fixture.log.writes() + 1);
    expect(events).toHaveLength(fixture.log.writes());
    const eventCounts = (event: string): Record<string, number> =>
      Object.fromEntries(
        Object.entries(
          Object.groupBy(
            events.filter((each) => each.event === event && each.outcome === 'ok'),
            ({ operation }) => String(operation),
          ),
        ).map(([name, lines]) => [name, lines?.length ?? 0]),
      );
    const happened = (...names: string[]): Record<string, number> =>
      Object.fromEntries(names.map((name) => [name, fixture.succeeded.get(name) ?? 0]));
    expect(eventCounts('login')).toEqual({
      issueToken: (fixture.succeeded.get('issueToken') ?? 0) + (fixture.succeeded.get('POST /api/auth/token') ?? 0),
    });
    expect(eventCounts('admin-action')).toEqual(
      happened('setUserDisabled', 'setUserRole', 'retryFollowUp', 'createApiKey', 'revokeApiKey'),
    );
  });
});
