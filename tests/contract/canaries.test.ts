import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EngineName } from '../../src/graphql/engine.js';
import { ROUTES } from '../../src/rest/index.js';
import { sendBadDocuments } from './canaries/bad-documents.js';
import { rootFields } from './canaries/documents.js';
import { fillEveryPosition, fuzzRequestMetadata, sendSecretsInWrongFields } from './canaries/every-operation.js';
import { requestUnknownPaths, tryEveryPath } from './canaries/every-path.js';
import { failures, injectMailFailures, injectWriteFailures } from './canaries/faults.js';
import { UNREACHABLE } from './canaries/fickle-mailer.js';
import { runHappyPaths, type CanaryActors } from './canaries/happy-paths.js';
import { ALL_SHAPES, findMarks, SECRET, type Shape } from './canaries/marks.js';
import { passwordOf, run } from './canaries/people.js';
import { eventsIn } from './canaries/raw-log.js';
import { storedText } from './canaries/stored-text.js';
import { CanaryWorld } from './canaries/world.js';

/** Where names, texts and addresses belong; a session also has what its client calls itself. */
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

/** Where addresses are only until a mail is sent, which may be over by now. */
const PASSING = ['notice_recipient.email', 'password_reset.email_key'];

/** Where addresses belong. Only what is asked for as an address has this domain. */
const ADDRESSES = HOMES.filter((column) => /email/.test(column));
const ADDRESS = /@mail\.example\.org/i;

/** What PostgreSQL, Python, editors and terminals take for the end of a line. */
const LINE_ENDS = /\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/;

/** Some of the tests send thousands of requests. */
const LIMIT_MS = 300_000;

const CONSOLE = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** What the engines do not share is little: beside the second, fewer values go through. */
const RUNS: readonly (readonly [EngineName, readonly Shape[]])[] = [
  ['yoga', ALL_SHAPES],
  ['apollo', ['password', 'hostile']],
];

describe.each(RUNS)('what is sent beside %s', (engine, shapes) => {
  const said: unknown[] = [];
  let world: CanaryWorld;
  let cast: CanaryActors;

  beforeAll(async () => {
    for (const method of CONSOLE)
      jest.spyOn(console, method).mockImplementation((...words: unknown[]) => {
        said.push(words);
      });
    world = await CanaryWorld.open(engine);
    cast = await runHappyPaths(world);
  }, LIMIT_MS);
  afterAll(async () => {
    jest.restoreAllMocks();
    await world.service.remove();
  });

  function expectNoLeaks(): void {
    expect({ ...world.leaks(), said }).toEqual({ logged: [], repeated: [], said: [] });
  }

  it('is in no log and no answer of the operations and paths that succeed, of which none is left out', () => {
    const all = [
      ...rootFields().map(({ field: { name } }) => name),
      ...ROUTES.map(({ method, path }) => `${method} ${path}`),
    ];
    expect(all.filter((each) => !world.succeeded.has(each))).toEqual([]);
    expectNoLeaks();
  });

  it(
    'is in no log and no error, in whatever place of an operation it stands',
    async () => {
      expect(await fillEveryPosition(world, cast, shapes)).toBeGreaterThan(500);
      await sendBadDocuments(world, cast, shapes);
      await fuzzRequestMetadata(world, cast, shapes);
      expectNoLeaks();
    },
    LIMIT_MS,
  );

  it(
    'is in no log and no error, in whatever place of a path, a query, a body or a header it stands',
    async () => {
      await tryEveryPath(world, cast, shapes);
      await requestUnknownPaths(world, cast, shapes);
      expectNoLeaks();
    },
    LIMIT_MS,
  );

  it("is in no log and no error when it is somebody's real token, key or link", async () => {
    const input = { username: cast.member.username, password: passwordOf('member') };
    const { accessToken, refreshToken } = await run<{ accessToken: string; refreshToken: string }>(
      world,
      world.anyone,
      'issueToken',
      { input },
    );
    await run(world, cast.owner, 'inviteToGroup', {
      input: { groupId: cast.groupId, invitees: [{ email: 'canary-text-real@mail.example.org' }] },
    });
    await sendSecretsInWrongFields(world, cast, [
      accessToken,
      refreshToken,
      await world.linkTo('canary-text-real@mail.example.org'),
      cast.program.token ?? '',
    ]);
    expectNoLeaks();
  });

  it('is neither kept nor logged of a mail that cannot be sent', async () => {
    await injectMailFailures(world, cast);
    expect((await failures(world)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mail_invitation', 'reset_password', 'verify_email']),
    );
    for (const { error } of await failures(world))
      expect(error).toMatch(/^550 5\.1\.1 <…@…>: refused by mx\.example\.org /);
    expect(JSON.stringify(await failures(world))).not.toContain(UNREACHABLE);
    expectNoLeaks();
  });

  it(
    'is neither kept nor logged of a statement that fails',
    async () => {
      const bugsBefore = world.bugs;
      expect((await injectWriteFailures(world, cast)).length).toBeGreaterThan(10);
      expect(await failures(world)).toContainEqual({
        name: 'announce_registration',
        error: 'A statement failed (SQLSTATE P0001).',
      });
      expect(world.bugs - bugsBefore).toBeGreaterThan(20);
      expect(
        eventsIn(world.log.text()).filter(({ msg }) => msg === 'Unexpected error while handling a request'),
      ).toHaveLength(world.bugs);
      expectNoLeaks();
    },
    LIMIT_MS,
  );

  it('is stored only where it belongs, and passwords, tokens, keys and links nowhere', async () => {
    await world.worked();
    const stored = await storedText(world.service.database.pool);
    const having = (finds: (text: string) => readonly unknown[]): string[] =>
      [...stored]
        .flatMap(([column, text]) => (PASSING.includes(column) || finds(text).length === 0 ? [] : [column]))
        .toSorted();
    expect(having((text) => findMarks(text))).toEqual(HOMES);
    expect(having((text) => ADDRESS.exec(text) ?? [])).toEqual(ADDRESSES);
    expect(
      [...stored].flatMap(([column, text]) =>
        [...findMarks(text, SECRET), ...world.issued.findIn(text)].map((found) => `${column}: ${found}`),
      ),
    ).toEqual([]);
    expect(world.issued.count).toBeGreaterThan(20);
  });

  it('is given to the jobs as ids and numbers only', async () => {
    const payloads = await world.sql<{ payload: Record<string, unknown> }>('select payload from outbox_task');
    for (const value of payloads.flatMap(({ payload }) => Object.values(payload)))
      expect(value).toEqual(typeof value === 'number' ? expect.any(Number) : expect.stringMatching(/^[0-9a-f-]{36}$/));
    const jobs = await world.sql<{ data: unknown; reason: unknown }>(
      'select data, fail_reason as reason from agenda_jobs',
    );
    for (const { data, reason } of jobs)
      expect({ data, reason }).toEqual({ data: { taskIds: expect.any(Array) }, reason: null });
  });

  it("forges and splits no line of the log: each is one event, and logins and administrators' actions are those that happened", () => {
    const text = world.log.text();
    const events = eventsIn(text);
    expect(text.split(LINE_ENDS)).toHaveLength(world.log.writes() + 1);
    expect(events).toHaveLength(world.log.writes());
    const told = (event: string): Record<string, number> =>
      Object.fromEntries(
        Object.entries(
          Object.groupBy(
            events.filter((each) => each.event === event && each.outcome === 'ok'),
            ({ operation }) => String(operation),
          ),
        ).map(([name, lines]) => [name, lines?.length ?? 0]),
      );
    const happened = (...names: string[]): Record<string, number> =>
      Object.fromEntries(names.map((name) => [name, world.succeeded.get(name) ?? 0]));
    expect(told('login')).toEqual({
      issueToken: (world.succeeded.get('issueToken') ?? 0) + (world.succeeded.get('POST /api/auth/token') ?? 0),
    });
    expect(told('admin-action')).toEqual(
      happened('setUserDisabled', 'setUserRole', 'retryFollowUp', 'createApiKey', 'revokeApiKey'),
    );
  });
});
