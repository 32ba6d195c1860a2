import { waitUntil } from '../../support/wait-until.js';
import type { CanaryFixture } from './canary-fixture.js';
import { logIn, passwordOf, run } from './canary-users.js';
import { UNREACHABLE } from './failing-mailer.js';
import type { CanaryActors } from './happy-paths.js';
import { SECRET, TEXT } from './marks.js';
import { runConcurrently } from './run-concurrently.js';

/** The kind of a failed task, with its stored error. */
export interface TaskFailure {
  readonly name: string;
  readonly error: string;
}

/**
 * Enqueues mails of every kind to addresses that reject them, and waits until each has failed.
 *
 * @returns the failures; a task that is retried later may succeed, or be skipped after the password change
 */
export async function injectMailFailures(
  fixture: CanaryFixture,
  { owner, groupId }: CanaryActors,
): Promise<TaskFailure[]> {
  const [verified, resetting] = [
    `${UNREACHABLE}${TEXT}-a@mail.example.org`,
    `${UNREACHABLE}${TEXT}-b@mail.example.org`,
  ];
  const input = { username: `${TEXT}-unreached`, password: passwordOf('unreached'), displayName: `${TEXT} unreached` };
  await run(fixture, fixture.anonymous, 'register', { input: { ...input, email: verified } });
  await run(fixture, owner, 'inviteToGroup', {
    input: { groupId, invitees: [{ email: `${UNREACHABLE}${TEXT}-c@mail.example.org` }] },
  });
  const user = await logIn(fixture, input.username, input.password);
  await fixture.sql('update account set email = $2, email_key = $2, email_verified_at = now() where id = $1', [
    user.id,
    resetting,
  ]);
  await run(fixture, fixture.anonymous, 'requestPasswordReset', { input: { email: resetting } });
  const failed = await failuresOf(fixture, ['mail_invitation', 'reset_password', 'verify_email']);
  await run(fixture, user, 'changePassword', {
    input: { currentPassword: input.password, newPassword: `${input.password} more` },
  });
  return [...failed, ...(await failuresOf(fixture, ['notify_password_changed']))];
}

/** Waits until tasks of all these kinds have failed. */
async function failuresOf(fixture: CanaryFixture, names: readonly string[]): Promise<TaskFailure[]> {
  const found = new Map<string, TaskFailure>();
  await waitUntil(`tasks to fail: ${names.join(', ')}`, async () => {
    for (const failure of await failures(fixture)) found.set(failure.name, failure);
    return names.every((name) => found.has(name));
  });
  return [...found.values()];
}

/** The kinds of failed tasks, with their stored errors. */
export function failures(fixture: CanaryFixture): Promise<TaskFailure[]> {
  return fixture.sql(
    'select distinct name, last_error as error from outbox_task where last_error is not null and due_at is not null',
  );
}

/** Tables that requests write to. The others belong to the infrastructure. */
const MACHINERY = ['agenda_jobs', 'migration', 'rate_limit', 'signing_key'];

/**
 * Makes the database reject every row of one table after another, with an error that repeats the row, while every
 * writing operation is requested.
 *
 * @returns the tables, and the failures of tasks
 */
export async function injectWriteFailures(
  fixture: CanaryFixture,
  actors: CanaryActors,
): Promise<{ tables: string[]; failed: TaskFailure[] }> {
  const failed: TaskFailure[] = [];
  await fixture.sql(`create function refuse_row() returns trigger language plpgsql as $$ begin
    raise exception 'will not have %', to_jsonb(new)
      using detail = to_jsonb(new)::text, hint = to_jsonb(new)::text, column = to_jsonb(new)::text; end $$`);
  const tables = (
    await fixture.sql<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
  )
    .map(({ name }) => name)
    .filter((name) => !MACHINERY.includes(name));
  for (const table of tables) {
    // A task that cannot be marked as completed would stay leased for a minute.
    const when = table === 'outbox_task' ? 'insert' : 'insert or update';
    await fixture.sql(`create trigger refuse before ${when} on ${table} for each row execute function refuse_row()`);
    await writeEverything(fixture, actors);
    // The notification of a registration is sent by a job.
    if (table === 'account_event') failed.push(...(await failuresOf(fixture, ['announce_registration'])));
    await fixture.sql(`drop trigger refuse on ${table}`);
  }
  return { tables, failed };
}

/** Only values that the database can store, but does not, reach it. */
async function writeEverything(
  fixture: CanaryFixture,
  { owner, member, admin, apiClient, groupId }: CanaryActors,
): Promise<void> {
  const n = fixture.number();
  const username = `${TEXT}-refused-${n}`;
  const email = `${TEXT}-refused-${n}@mail.example.org`;
  const anonymous = fixture.anonymous;
  const send = (client: typeof anonymous, name: Parameters<typeof run>[2], input?: object) => () =>
    run(fixture, client, name, input === undefined ? {} : { input }).catch(() => undefined);
  await runConcurrently([
    send(anonymous, 'register', { username, password: `${SECRET} lanterns`, email, displayName: `${TEXT} refused` }),
    send(anonymous, 'issueToken', { username: member.username, password: passwordOf('member') }),
    send(anonymous, 'requestPasswordReset', { email }),
    send(member, 'updateProfile', {
      displayName: `${TEXT} refused ${n}`,
      email,
      currentPassword: passwordOf('member'),
    }),
    send(owner, 'createGroup', { name: `${TEXT} refused`, description: `${TEXT} refused` }),
    send(owner, 'updateGroup', { groupId, name: `${TEXT} refused ${n}` }),
    send(owner, 'inviteToGroup', { groupId, invitees: [{ email }] }),
    send(admin, 'createApiKey', { name: `${TEXT} refused`, scopes: ['GROUPS_READ'] }),
    send(apiClient, 'recordCompatibilityScore', { groupId, value: 51, source: `${TEXT} refused` }),
    send(member, 'updateMemberStatus', { groupId, userId: member.id, status: n % 2 === 0 ? 'TENTATIVE' : 'DECLINED' }),
    send(member, 'requestEmailVerification'),
  ]);
}
