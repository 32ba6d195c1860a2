import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grantAdmin } from '../../src/accounts/index.js';
import { TestClient } from '../support/http/test-client.js';
import { RecordingMailer } from '../support/recording-mailer.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { registerUser, type TestUser } from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';
import { loadExamples, nameOf, type Example } from './load-examples.js';

const ADA = 'ada@example.org';
const GRACE = 'grace@example.org';

/** Ids and secrets by the placeholder that they replace. */
type Replacements = Readonly<Record<string, string>>;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const mailer = new RecordingMailer();
let service: TestService;
let examples: ReadonlyMap<string, Example>;
const run = new Set<string>();

beforeAll(async () => {
  service = await startTestService({ mailer, hasher: FAKE_HASHER });
  examples = new Map((await loadExamples()).map((example) => [nameOf(example), example]));
});
afterAll(() => service.remove());

/** Runs an example with its own variables, in which only placeholders are replaced. Returns its first field. */
async function runExample<TField>(client: TestClient, name: string, replacements: Replacements = {}): Promise<TField> {
  const { query, variables } = examples.get(name) ?? { query: '' };
  const text = Object.entries(replacements).reduce(
    (json, [placeholder, value]) => json.replaceAll(placeholder, value),
    JSON.stringify(variables ?? {}),
  );
  expect({ name, text }).toEqual({ name, text: expect.not.stringContaining('paste ') });
  const data = await client.data(query, JSON.parse(text) as Record<string, unknown>);
  run.add(name);
  return Object.values(data)[0] as TField;
}

async function logIn(anonymous: TestClient): Promise<TestClient & Tokens> {
  const tokens = await runExample<Tokens>(anonymous, 'IssueToken');
  return Object.assign(anonymous.with(tokens.accessToken), tokens);
}

async function secretTo(address: string): Promise<Replacements> {
  await waitUntil('a mail is sent', () => mailer.sent.some(({ to }) => to === address));
  return { 'paste the text after #secret= in the mailed link': mailer.secretTo(address) };
}

const forGroup = (groupId: string): Replacements => ({ 'paste the id of a group': groupId });

/** Registers the user that the examples invite, with a verified address. */
async function registerGrace(): Promise<TestUser> {
  const grace = await registerUser(service, 'grace');
  await service.database.pool.query(
    'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
    [grace.id, GRACE],
  );
  return grace;
}

/** Ada registers, verifies her address and creates a group. */
async function foundGroup(anonymous: TestClient): Promise<{ ada: TestClient; group: Replacements; ids: Replacements }> {
  await runExample(anonymous, 'Welcome');
  const { user } = await runExample<{ user: { id: string } }>(anonymous, 'Register');
  const ada = await logIn(anonymous);
  await runExample(ada, 'Me');
  await runExample(ada, 'UpdateProfile');
  await runExample(ada, 'RequestEmailVerification');
  await waitUntil('both mails are sent', () => mailer.sent.filter(({ to }) => to === ADA).length === 2);
  await runExample(anonymous, 'VerifyEmail', await secretTo(ADA));
  const { group } = await runExample<{ group: { id: string } }>(ada, 'CreateGroup');
  return { ada, group: forGroup(group.id), ids: { ...forGroup(group.id), 'paste your user id': user.id } };
}

async function inviteGrace(ada: TestClient, grace: TestUser, ids: Replacements): Promise<void> {
  await runExample(ada, 'InviteToGroup', ids);
  const other = { ...ids, 'paste the id of another user': grace.id };
  await runExample(ada, 'User', other);
  for (const name of ['Node', 'Nodes']) await runExample(ada, name, ids);
  await runExample(ada, 'ChangeMemberRole', other);
  await runExample(grace, 'UpdateMemberStatus', { ...ids, 'paste your user id': grace.id });
  await runExample(ada, 'WhatIf', ids);
  await runExample(ada, 'RemoveMember', other);
}

async function inviteGraceByMail(ada: TestClient, grace: TestUser, group: Replacements): Promise<void> {
  await runExample(ada, 'InviteByEmail', group);
  const secret = await secretTo(GRACE);
  await runExample(grace, 'Inbox');
  await runExample(new TestClient(service.url), 'Invitation', secret);
  await runExample(grace, 'ClaimInvitation', secret);
  await runExample(grace, 'LeaveGroup', group);
  const again = await runExample<{ results: { invitation: { id: string } }[] }>(ada, 'InviteByEmail', group);
  await runExample(ada, 'RevokeInvitation', {
    'paste the id of an invitation from Group': again.results[0]?.invitation.id ?? '',
  });
}

/** Marks a completed follow-up as failed, since none of them fails here. */
async function failFollowUp(): Promise<string> {
  const failed: string[] = [];
  await waitUntil('a follow-up is complete', async () => {
    const { rows } = await service.database.pool.query<{ id: string }>(
      `update outbox_task set status = 'FAILED'
       where id = (select id from outbox_task where registered_user_id is not null and status = 'DONE' limit 1)
       returning id`,
    );
    failed.push(...rows.map(({ id }) => id));
    return failed.length > 0;
  });
  return failed[0] ?? '';
}

/** Returns Ada as an administrator, with a new token, because a change of the role ends the sessions. */
async function administrate(anonymous: TestClient, grace: TestUser): Promise<TestClient> {
  await grantAdmin(service.accounts, 'ada');
  const ada = await logIn(anonymous);
  const other = { 'paste the id of another user': grace.id };
  for (const name of ['Users', 'AuditEvents', 'FollowUps', 'ApiKeys']) await runExample(ada, name);
  for (const name of ['SetUserRole', 'SetUserDisabled']) await runExample(ada, name, other);
  const { apiKey } = await runExample<{ apiKey: { id: string } }>(ada, 'CreateApiKey');
  await runExample(ada, 'RevokeApiKey', { 'paste the id of an API key': apiKey.id });
  const followUp = { 'paste the id of a failed follow-up': await failFollowUp() };
  await runExample(ada, 'RetryFollowUp', followUp);
  return ada;
}

async function endSessions(anonymous: TestClient, ada: TestClient): Promise<void> {
  const other = await logIn(anonymous);
  const { sessions } = await runExample<{ sessions: { id: string; current: boolean }[] }>(ada, 'Me');
  const session = sessions.find(({ current }) => !current)?.id ?? '';
  await runExample(ada, 'RevokeSession', { 'paste the id of a session from Me': session });
  expect((await other.graphql('{ me { id } }')).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  const last = await logIn(anonymous);
  await runExample(anonymous, 'RefreshToken', { 'paste the refreshToken from IssueToken': last.refreshToken });
  await runExample(last, 'RevokeToken');
}

async function changePasswords(anonymous: TestClient): Promise<void> {
  await runExample(await logIn(anonymous), 'ChangePassword');
  const before = mailer.sent.length;
  await runExample(anonymous, 'RequestPasswordReset');
  await waitUntil('the mail is sent', () => mailer.sent.slice(before).some(({ text }) => text.includes('#secret=')));
  await runExample(anonymous, 'ResetPassword', await secretTo(ADA));
}

describe('example operations', () => {
  it('run one after another with their own variables, from an account to its deletion', async () => {
    const anonymous = new TestClient(service.url);
    const { ada, group, ids } = await foundGroup(anonymous);
    const grace = await registerGrace();
    await inviteGrace(ada, grace, ids);
    await inviteGraceByMail(ada, grace, group);
    await runExample(ada, 'UpdateGroup', group);
    await runExample(ada, 'Group', group);
    const administrator = await administrate(anonymous, grace);
    await runExample(administrator, 'RecordCompatibilityScore', group);
    await runExample(administrator, 'CancelGroup', group);
    await runExample(administrator, 'BeforeLeaving');
    await endSessions(anonymous, administrator);
    await changePasswords(anonymous);
    await runExample(await registerUser(service), 'DeleteAccount');
    // GroupChanged runs in a browser: tests/browser/graphiql.test.ts.
    expect([...examples.keys()].filter((name) => !run.has(name))).toEqual(['GroupChanged']);
  });
});
