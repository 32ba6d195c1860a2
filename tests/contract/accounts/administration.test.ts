import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Mailer } from '../../../src/accounts/index.js';
import { TestClient, type GraphqlResponse } from '../../support/http/test-client.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerAdmin, registerUser, type TestUser } from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import { waitUntil } from '../../support/wait-until.js';

const ROLE = 'mutation ($input: SetUserRoleInput!) { setUserRole(input: $input) { user { id roles } } }';
const DISABLE = 'mutation ($input: SetUserDisabledInput!) { setUserDisabled(input: $input) { user { id disabled } } }';
const RETRY = `
  mutation ($input: RetryFollowUpInput!) {
    retryFollowUp(input: $input) { followUp { id name status attempts lastError finishedAt user { id } } }
  }`;

const sent = new RecordingMailer();
let isMailAway = false;
const mailer: Mailer = {
  send: (mail) => (isMailAway ? Promise.reject(new Error('The mail server is away.')) : sent.send(mail)),
  check: () => Promise.resolve(null),
};
let service: TestService;
let admin: TestUser;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER, mailer });
  admin = await registerAdmin(service);
});
afterAll(() => service.remove());

function extensionsOf({ errors }: GraphqlResponse): unknown {
  return errors?.map(({ extensions }) => extensions);
}

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

describe.each(['users', 'auditEvents', 'followUps'])('the list %s', (name) => {
  const query = `query ($first: Int! = 100, $after: String) {
    ${name}(first: $first, after: $after) { totalCount nodes { id } edges { cursor node { id } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
  }`;

  async function page(variables: object = {}): Promise<Page> {
    const data = await admin.data<Record<string, Page>>(query, { ...variables });
    return data[name]!;
  }

  beforeAll(async () => {
    for (let user = 0; user < 3; user += 1) await registerUser(service);
    await waitUntil('their follow-ups', async () => (await page()).totalCount >= 3);
  });

  it('returns pages, newest first, of 100 entries by default', async () => {
    const all = await page();
    const read: Page[] = [await page({ first: 2 })];
    while (read.at(-1)!.pageInfo.hasNextPage)
      read.push(await page({ first: 2, after: read.at(-1)!.pageInfo.endCursor }));
    expect(read.flatMap(({ nodes }) => nodes)).toEqual(all.nodes);
    expect(all.nodes).toHaveLength(all.totalCount);
    expect(read[0]).toMatchObject({
      totalCount: all.totalCount,
      pageInfo: { hasPreviousPage: false, startCursor: read[0]!.edges[0]!.cursor },
    });
    expect(read.at(-1)).toMatchObject({
      pageInfo: { hasPreviousPage: true, endCursor: read.at(-1)!.edges.at(-1)!.cursor },
    });
  });

  it.each([
    [{ first: 0 }, ['first']],
    [{ first: 1_001 }, ['first']],
    [{ first: -1 }, ['first']],
    [{ first: null }, ['first']],
    [{ first: 2.5 }, ['first']],
    [{ first: '2' }, ['first']],
    [{ after: '' }, ['after']],
    [{ after: 'x' }, ['after']],
    [{ after: 5 }, ['after']],
    [{ first: 0, after: 'x' }, ['first', 'after']],
  ])('rejects %j with the faulty fields', async (variables, fields) => {
    const response = await admin.graphql(query, variables);
    expect(extensionsOf(response)).toMatchObject([
      { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', fields: fields.map((field) => ({ field })) },
    ]);
  });

  it('returns up to 1,000 entries, and rejects a cursor of another list', async () => {
    expect((await page({ first: 1_000 })).nodes.length).toBeGreaterThanOrEqual(3);
    const { me } = await admin.data<{ me: { memberships: { pageInfo: { endCursor: string | null } } } }>(
      '{ me { memberships { pageInfo { endCursor } } } }',
    );
    expect(me.memberships.pageInfo.endCursor).toBeNull();
    expect(extensionsOf(await admin.graphql(query, { after: Buffer.from('7').toString('base64url') }))).toMatchObject([
      { fields: [{ field: 'after' }] },
    ]);
  });
});

describe('administrator actions', () => {
  it("reject disabling or demoting the caller's own account", async () => {
    const expected = [{ reason: 'INVALID_INPUT', fields: [{ field: 'userId' }] }];
    expect(
      extensionsOf(await admin.graphql(DISABLE, { input: { userId: admin.id.toUpperCase(), disabled: true } })),
    ).toMatchObject(expected);
    expect(extensionsOf(await admin.graphql(ROLE, { input: { userId: admin.id, role: 'USER' } }))).toMatchObject(
      expected,
    );
  });

  it('grant and revoke the administrator role; revoking ends the sessions', async () => {
    const ada = await registerUser(service);
    expect(await admin.data(ROLE, { input: { userId: ada.id, role: 'ADMIN' } })).toEqual({
      setUserRole: { user: { id: ada.id, roles: ['USER', 'ADMIN'] } },
    });
    expect((await ada.get('/api/auth/me')).body).toMatchObject({ reason: 'TOKEN_REVOKED' });
    const { body } = await new TestClient(service.url).post('/api/auth/token', {
      username: ada.username,
      password: PASSWORD,
    });
    const again = new TestClient(service.url, (body as { access_token: string }).access_token);
    expect(await again.data('{ users(first: 1) { nodes { id } } me { roles } }')).toMatchObject({
      me: { roles: ['USER', 'ADMIN'] },
    });
    await admin.data(ROLE, { input: { userId: ada.id, role: 'USER' } });
    expect(extensionsOf(await again.graphql('{ users { totalCount } }'))).toMatchObject([{ reason: 'TOKEN_REVOKED' }]);
  });

  it('leave one administrator when two demote each other concurrently', async () => {
    const [one, other] = [await registerAdmin(service), await registerAdmin(service)];
    const responses = await Promise.all([
      one.graphql(ROLE, { input: { userId: other.id, role: 'USER' } }),
      other.graphql(ROLE, { input: { userId: one.id, role: 'USER' } }),
    ]);
    expect(responses.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    const { rows } = await service.database.pool.query(
      `select 1 from account where id = any($1) and 'ADMIN' = any(roles)`,
      [[one.id, other.id]],
    );
    expect(rows).toHaveLength(1);
  });

  it('find accounts by a name prefix in any case, with the fields for administrators', async () => {
    const { id } = await registerUser(service, 'Searched_One');
    const find = `
      query ($search: String) {
        users(search: $search) {
          totalCount
          nodes { id username displayName email emailVerified roles disabled createdAt lastLoginAt }
        }
      }`;
    expect(await admin.data(find, { search: 'sEARCHED_' })).toEqual({
      users: {
        totalCount: 1,
        nodes: [
          {
            id,
            username: 'Searched_One',
            displayName: null,
            email: null,
            emailVerified: false,
            roles: ['USER'],
            disabled: false,
            createdAt: expect.any(String),
            lastLoginAt: expect.any(String),
          },
        ],
      },
    });
    expect(await admin.data(find, { search: '%' })).toMatchObject({ users: { totalCount: 0 } });
    expect(extensionsOf(await admin.graphql(find, { search: '\0' }))).toMatchObject([
      { fields: [{ field: 'search' }] },
    ]);
  });

  it('appear in the audit, newest first', async () => {
    const ben = await registerUser(service);
    await admin.data(ROLE, { input: { userId: ben.id, role: 'ADMIN' } });
    const { auditEvents } = await admin.data<{ auditEvents: { nodes: unknown } }>(
      `
        query ($userId: UUID) {
          auditEvents(userId: $userId) { nodes { at action detail actor { id username } subject { id } } }
        }`,
      { userId: ben.id },
    );
    const at = expect.any(String);
    expect(auditEvents.nodes).toEqual([
      {
        at,
        action: 'role.granted',
        detail: { role: 'ADMIN' },
        actor: { id: admin.id, username: admin.username },
        subject: { id: ben.id },
      },
      {
        at,
        action: 'login',
        detail: { sessionId: expect.any(String) },
        actor: { id: ben.id, username: ben.username },
        subject: { id: ben.id },
      },
    ]);
  });

  it("lose their audit entries when the task completes the deletion of the administrator's account", async () => {
    const [root, ben] = [await registerAdmin(service), await registerUser(service)];
    await root.data(DISABLE, { input: { userId: ben.id, disabled: true } });
    await root.data('mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }', {
      input: { password: PASSWORD },
    });
    const lastEvent = async () => {
      const { auditEvents } = await admin.data<{ auditEvents: { nodes: readonly { actor: unknown }[] } }>(
        `
          query ($userId: UUID) {
            auditEvents(userId: $userId, first: 1) { nodes { action actor { id } subject { id } } }
          }`,
        { userId: ben.id },
      );
      return auditEvents.nodes[0];
    };
    await waitUntil('the audit to lose its actor', async () => (await lastEvent())?.actor === null);
    expect(await lastEvent()).toEqual({ action: 'account.disabled', actor: null, subject: { id: ben.id } });
  });
});

describe('a follow-up that failed for good', () => {
  const LAST_ATTEMPT = 11;

  /** A user whose verification mail failed so often that the next attempt is the last. */
  async function unlucky(): Promise<{ user: TestUser; email: string; followUpId: string }> {
    isMailAway = true;
    const username = `unlucky-${sent.sent.length}`;
    const email = `${username}@example.org`;
    await new TestClient(service.url).post('/api/auth/register', { username, password: PASSWORD, email });
    const { body } = await new TestClient(service.url).post('/api/auth/token', { username, password: PASSWORD });
    const { access_token: token, user_id: id } = body as { access_token: string; user_id: string };
    const user = Object.assign(new TestClient(service.url, token).with(token), { id, username, token });
    const followUpId = await failForGood(id);
    isMailAway = false;
    return { user, email, followUpId };
  }

  async function failForGood(userId: string): Promise<string> {
    const row = async () =>
      (
        await service.database.pool.query<{ id: string; status: string; attempts: number }>(
          `select id, status, attempts from outbox_task where registered_user_id = $1 and name = 'verify_email'`,
          [userId],
        )
      ).rows[0]!;
    await waitUntil(
      'the first attempt to fail',
      async () => (await row()).attempts === 1 && (await row()).status === 'QUEUED',
    );
    const { id } = await row();
    await service.database.pool.query('update outbox_task set attempts = $2, due_at = now() where id = $1', [
      id,
      LAST_ATTEMPT,
    ]);
    service.jobs.dispatch([id]);
    await waitUntil('the last attempt to fail', async () => (await row()).status === 'FAILED');
    return id;
  }

  it('is listed with its last error, and succeeds when retried; its user never sees the error', async () => {
    const { user, email, followUpId } = await unlucky();
    const failed = {
      id: followUpId,
      name: 'verify_email',
      status: 'FAILED',
      attempts: LAST_ATTEMPT + 1,
      lastError: 'The mail server is away.',
      finishedAt: expect.any(String),
      user: { id: user.id },
    };
    const list =
      '{ followUps(status: FAILED) { totalCount nodes { id name status attempts lastError finishedAt user { id } } } }';
    expect(await admin.data(list)).toEqual({ followUps: { totalCount: 1, nodes: [failed] } });
    const { me } = await user.data<{ me: { followUps: { id: string }[] } }>(
      '{ me { followUps { id status attempts lastError } } }',
    );
    expect(me.followUps).toContainEqual({
      id: followUpId,
      status: 'FAILED',
      attempts: LAST_ATTEMPT + 1,
      lastError: null,
    });

    expect(await admin.data(RETRY, { input: { followUpId } })).toEqual({
      retryFollowUp: { followUp: { ...failed, status: 'QUEUED', attempts: 0, finishedAt: null } },
    });
    await waitUntil('the mail', () => sent.sent.some(({ to }) => to === email));
    const done = '{ followUps(status: DONE) { nodes { id status attempts lastError } } }';
    await waitUntil('the follow-up to be done', async () =>
      JSON.stringify(await admin.data(done)).includes(followUpId),
    );
    expect((await admin.data<{ followUps: { nodes: unknown[] } }>(done)).followUps.nodes).toContainEqual({
      id: followUpId,
      status: 'DONE',
      attempts: 1,
      lastError: null,
    });
    expect(await admin.data(list)).toEqual({ followUps: { totalCount: 0, nodes: [] } });
  });

  it("rejects a retry of another user's follow-up", async () => {
    const { me } = await admin.data<{ me: { followUps: { id: string }[] } }>('{ me { followUps { id } } }');
    for (const followUpId of [me.followUps[0]!.id, UNKNOWN_ID]) {
      expect(extensionsOf(await admin.graphql(RETRY, { input: { followUpId } }))).toMatchObject([
        { code: 'NOT_FOUND', reason: 'FOLLOW_UP_NOT_FOUND' },
      ]);
    }
  });
});
