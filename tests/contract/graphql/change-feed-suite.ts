import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-sse';
import { createApiKey, type ApiKeyScope } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { inTransaction } from '../../../src/database/index.js';
import { startFaultProxy } from '../../support/database/fault-proxy.js';
import { fakeClock } from '../../support/fake-clock.js';
import { firstResult, STREAM_FORMATS, type StreamFormatName } from '../../support/http/stream-formats.js';
import { TestClient } from '../../support/http/test-client.js';
import {
  changesDocument,
  renameGroup,
  respondToGroup,
  subscribe,
  type ReceivedChange,
  type SubscriptionOptions,
  type TestSubscription,
} from '../../support/http/test-subscription.js';
import { revokeSessionsOf } from '../../support/revoke-sessions-of.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const SECRET = Buffer.alloc(32, 9).toString('base64');
const EVERYTHING = `
  revision cause actor { username } apiKey subject { username } status before after at
  counts { pending accepted tentative declined openInvitations lapsedInvitations } group { id revision }`;

const revisionsOf = (changes: readonly ReceivedChange[]): number[] => changes.map(({ revision }) => revision);
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The change feed contract, for each GraphQL engine beside the stream and each format of the stream. */
export function changeFeedSuite(engine: 'yoga' | 'apollo', format: StreamFormatName): void {
  const { accept, contentType, opening, ending } = STREAM_FORMATS[format];
  const clock = fakeClock(new Date());
  const settings = { GRAPHQL_ENGINE: engine, SERVER_SECRET: SECRET };
  let service: TestService;
  let owner: TestUser;
  const feeds: TestSubscription[] = [];

  beforeAll(async () => {
    service = await startTestService({ clock, hasher: FAKE_HASHER, settings });
    owner = await registerUser(service);
  });
  afterEach(async () => {
    for (const feed of feeds.splice(0)) feed.disconnect();
    await waitUntil('every listener to be forgotten', () => service.groups.changeFeed.subscriberCount === 0);
  });
  afterAll(() => service.remove());

  async function listenAs(
    user: Pick<TestUser, 'token'>,
    groupId: string,
    options: SubscriptionOptions & { at?: TestService } = {},
  ): Promise<TestSubscription> {
    const feed = await subscribe(options.at ?? service, user.token, groupId, { format, ...options });
    feeds.push(feed);
    return feed;
  }

  async function listenWithKey(
    scopes: readonly ApiKeyScope[],
    groupId: string,
    groupIds: readonly string[] | null = null,
  ): Promise<TestSubscription> {
    const { secret: token } = await createApiKey(service.accounts, {
      name: 'gateway',
      scopes,
      groupIds,
      expiresAt: null,
    });
    return listenAs({ token }, groupId);
  }

  async function groupWith(...members: readonly TestUser[]): Promise<string> {
    return createGroupViaApi(owner, members);
  }

  describe('a subscription to a group', () => {
    it.each(['POST', 'GET'] as const)('sends the head by %s before the first change', async (method) => {
      const groupId = await groupWith();
      const { response, text } = await listenAs(owner, groupId, { method });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': contentType,
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      });
      await waitUntil('the opening', () => text() !== '');
      expect(text()).toMatch(opening);
    });

    it('receives each change with its cause, actor, subject, states and counts', async () => {
      const guest = await registerUser(service);
      const groupId = await groupWith();
      const feed = await listenAs(owner, groupId, { fields: EVERYTHING });
      await inviteUsers(owner, groupId, [guest.id]);
      await respondToGroup(guest, groupId, 'ACCEPTED');
      await renameGroup(owner, groupId, 'Supper');
      const at = clock.now().toISOString();
      const counts = { tentative: 0, declined: 0, openInvitations: 0, lapsedInvitations: 0 };
      const [actor, subject] = [{ username: owner.username }, { username: guest.username }];
      expect(await feed.waitForChanges(3)).toEqual([
        {
          revision: 2,
          cause: 'INVITED',
          actor,
          apiKey: null,
          subject,
          status: 'PENDING',
          before: 'FORMING',
          after: 'FORMING',
          at,
          counts: { ...counts, pending: 1, accepted: 1 },
          group: expect.objectContaining({ id: groupId }),
        },
        {
          revision: 3,
          cause: 'RESPONSE',
          actor: subject,
          apiKey: null,
          subject,
          status: 'ACCEPTED',
          before: 'FORMING',
          after: 'CONFIRMED',
          at,
          counts: { ...counts, pending: 0, accepted: 2 },
          group: expect.objectContaining({ id: groupId }),
        },
        {
          revision: 4,
          cause: 'RENAMED',
          actor,
          apiKey: null,
          subject: null,
          status: null,
          before: 'CONFIRMED',
          after: 'CONFIRMED',
          at,
          counts: { ...counts, pending: 0, accepted: 2 },
          group: { id: groupId, revision: 4 },
        },
      ]);
    });

    it('starts with the next change, or with the change after the given revision', async () => {
      const groupId = await createGroupViaApi(owner);
      await renameGroup(owner, groupId, 'Two');
      const [fromNow, fromOne, fromStart] = [
        await listenAs(owner, groupId),
        await listenAs(owner, groupId, { afterRevision: 1 }),
        await listenAs(owner, groupId, { afterRevision: 0 }),
      ];
      await renameGroup(owner, groupId, 'Three');
      expect(revisionsOf(await fromNow.waitForChanges(1))).toEqual([3]);
      expect(revisionsOf(await fromOne.waitForChanges(2))).toEqual([2, 3]);
      expect(revisionsOf(await fromStart.waitForChanges(3))).toEqual([1, 2, 3]);
    });

    it('receives changes in order when many users are invited concurrently', async () => {
      const groupId = await groupWith();
      const feed = await listenAs(owner, groupId);
      await inviteUsers(owner, groupId, await insertAccounts(service, 500));
      expect(revisionsOf(await feed.waitForChanges(500))).toEqual(range(2, 501));
    });

    it('loses and repeats none of 200 changes by several writers, over any number of reconnects', async () => {
      const members = await Promise.all(Array.from({ length: 4 }, () => registerUser(service)));
      const groupId = await groupWith(...members);
      const writing = Promise.all(
        members.map(async (member) => {
          for (let turn = 0; turn < 50; turn += 1)
            await respondToGroup(member, groupId, turn % 2 === 0 ? 'ACCEPTED' : 'TENTATIVE');
        }),
      );
      const last = 1 + members.length + 200;
      const revisions: number[] = [];
      while (revisions.at(-1) !== last) {
        const feed = await listenAs(owner, groupId, { afterRevision: revisions.at(-1) ?? 0 });
        await feed.waitForChanges(Math.min(1 + Math.floor(Math.random() * 12), last - (revisions.at(-1) ?? 0)));
        feed.disconnect();
        revisions.push(...revisionsOf(feed.changes));
      }
      await writing;
      expect(revisions).toEqual(range(1, last));
    });

    if (format === 'events')
      it('is compatible with the client of graphql-sse', async () => {
        const groupId = await groupWith();
        const client = createClient({
          url: `${service.url}/graphql`,
          headers: { authorization: `Bearer ${owner.token}` },
          retryAttempts: 0,
        });
        const results = client.iterate({ query: changesDocument(), variables: { groupId, afterRevision: 0 } });
        expect(await results.next()).toEqual({
          done: false,
          value: { data: { groupChanged: { revision: 1, cause: 'CREATED' } } },
        });
        await results.return?.();
        client.dispose();
      });
  });

  describe('several processes on one database', () => {
    let other: TestService;
    beforeAll(async () => {
      other = await startTestService({
        clock,
        hasher: FAKE_HASHER,
        settings: { ...settings, DATABASE_URL: service.databaseUrl },
      });
    });
    afterAll(() => other.remove());

    it("receive each other's changes, in order", async () => {
      const [here, there] = await Promise.all([registerUser(service), registerUser(service)]);
      const groupId = await groupWith(here, there);
      const listening = [await listenAs(owner, groupId), await listenAs(owner, groupId, { at: other })];
      const elsewhere = Object.assign(new TestClient(other.url, there.token), { id: there.id });
      for (const status of ['ACCEPTED', 'DECLINED', 'TENTATIVE'])
        await Promise.all([respondToGroup(here, groupId, status), respondToGroup(elsewhere, groupId, status)]);
      for (const feed of listening) expect(revisionsOf(await feed.waitForChanges(6))).toEqual(range(4, 9));
      expect(listening[0]?.changes).toEqual(listening[1]?.changes);
    });

    it('end the streams of a session that another process revoked', async () => {
      const guest = await registerUser(service);
      const groupId = await groupWith(guest);
      const feed = await listenAs(guest, groupId, { at: other });
      await guest.data('mutation { revokeToken(input: {}) { revokedSessions } }');
      expect(await feed.ended).toBe('complete');
      expect(feed.reasons).toEqual(['TOKEN_REVOKED']);
    });

    it('lose no change when their LISTEN connections are terminated', async () => {
      const groupId = await groupWith();
      const listening = [await listenAs(owner, groupId), await listenAs(owner, groupId, { at: other })];
      for (let round = 1; round <= 5; round += 1) {
        const cut = await service.database.pool.query(
          `
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'convene convene_group_changes'`,
        );
        if (round === 1) expect(cut.rows).toHaveLength(2);
        for (let turn = 1; turn <= 4; turn += 1) await renameGroup(owner, groupId, `${round}-${turn}`);
      }
      for (const feed of listening) expect(revisionsOf(await feed.waitForChanges(20))).toEqual(range(2, 21));
    });

    it('keep their streams during a database outage, and send the missed changes afterwards', async () => {
      const proxy = await startFaultProxy(service.databaseUrl);
      const third = await startTestService({
        clock,
        hasher: FAKE_HASHER,
        settings: { ...settings, DATABASE_URL: proxy.url },
      });
      const groupId = await groupWith();
      const feed = await subscribe(third, owner.token, groupId, { format });
      proxy.disconnect();
      await waitUntil(
        'the service to miss its database',
        async () => (await fetch(`${third.url}/readyz`)).status === 503,
      );
      for (let turn = 1; turn <= 3; turn += 1) await renameGroup(owner, groupId, `Meanwhile ${turn}`);
      proxy.restore();
      expect(revisionsOf(await feed.waitForChanges(3))).toEqual([2, 3, 4]);
      feed.disconnect();
      await third.remove();
      await proxy.stop();
    });

    it('ask their subscribers to reconnect when they stop, and do not wait for them', async () => {
      const third = await startTestService({
        clock,
        hasher: FAKE_HASHER,
        settings: { ...settings, DATABASE_URL: service.databaseUrl },
      });
      const groupId = await groupWith();
      const feed = await subscribe(third, owner.token, groupId, { format });
      await renameGroup(owner, groupId, 'Late');
      await feed.waitForChanges(1);
      const begunAt = performance.now();
      await third.remove();
      expect(performance.now() - begunAt).toBeLessThan(2_500);
      expect([await feed.ended, feed.reasons]).toEqual(
        format === 'events' ? ['closed', []] : ['complete', ['SHUTTING_DOWN']],
      );
      if (format === 'events') expect(feed.text()).toMatch(/retry: \d{4}\n\n$/);
    });
  });

  describe('authorization of subscribers', () => {
    const rejected = async (feed: Promise<TestSubscription>): Promise<unknown> => {
      const { ended, reasons, changes, response } = await feed;
      expect(response.status).toBe(200);
      expect(await ended).toBe('complete');
      expect(changes).toEqual([]);
      return reasons;
    };

    it('rejects users without access and callers without a token', async () => {
      const groupId = await groupWith();
      expect(await rejected(listenAs(await registerUser(service), groupId))).toEqual(['GROUP_NOT_FOUND']);
      expect(await rejected(listenAs(owner, owner.id))).toEqual(['GROUP_NOT_FOUND']);
      expect(await rejected(subscribe(service, null, groupId, { format }))).toEqual(['TOKEN_MISSING']);
      expect(await rejected(subscribe(service, 'nonsense', groupId, { format }))).toEqual(['TOKEN_INVALID']);
    });

    it('allows administrators, and API clients that may read the group', async () => {
      const groupId = await groupWith();
      const listening = [
        await listenAs(await registerAdmin(service), groupId),
        await listenWithKey(['groups:read'], groupId),
      ];
      await renameGroup(owner, groupId, 'Seen');
      for (const feed of listening) expect(revisionsOf(await feed.waitForChanges(1))).toEqual([2]);
      expect(await rejected(listenWithKey(['scores:write'], groupId))).toEqual(['SCOPE_REQUIRED']);
      expect(await rejected(listenWithKey(['groups:read'], groupId, [await groupWith()]))).toEqual(['GROUP_NOT_FOUND']);
    });

    it.each([
      [{ afterRevision: -1 }, ['afterRevision']],
      [{ afterRevision: 99 }, ['afterRevision']],
      [{ afterRevision: 'one' }, ['afterRevision']],
      [{ groupId: 'nonsense' }, ['groupId']],
      [{ groupId: null }, ['groupId']],
    ])('rejects every caller with %j', async (variables, fields) => {
      const groupId = await groupWith();
      const { text } = await owner.post(
        '/graphql',
        { query: changesDocument(), variables: { groupId, ...variables } },
        { accept },
      );
      expect(text).toMatch(ending);
      expect(firstResult(STREAM_FORMATS[format], text)).toMatchObject({
        errors: [
          {
            extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', fields: fields.map((field) => ({ field })) },
          },
        ],
      });
      expect(text).not.toContain('nonsense');
    });
  });

  describe('a stream ends', () => {
    it.each(['removed', 'gone by themselves'])('for a member who is %s, before the change is sent', async (how) => {
      const guest = await registerUser(service);
      const groupId = await groupWith(guest);
      const [theirs, ours] = [await listenAs(guest, groupId), await listenAs(owner, groupId)];
      if (how === 'removed')
        await owner.data('mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { group { id } } }', {
          input: { groupId, userId: guest.id },
        });
      else
        await guest.data('mutation ($input: LeaveGroupInput!) { leaveGroup(input: $input) { groupId } }', {
          input: { groupId },
        });
      await renameGroup(owner, groupId, 'Without them');
      expect(await theirs.ended).toBe('complete');
      expect([theirs.changes, theirs.reasons]).toEqual([[], ['GROUP_NOT_FOUND']]);
      expect((await ours.waitForChanges(2)).map(({ cause }) => cause)).toEqual([
        how === 'removed' ? 'REMOVED' : 'LEFT',
        'RENAMED',
      ]);
    });

    it('when the token is revoked', async () => {
      const guest = await registerUser(service);
      const feed = await listenAs(guest, await groupWith(guest));
      await guest.data('mutation { revokeToken(input: {}) { revokedSessions } }');
      expect(await feed.ended).toBe('complete');
      expect(feed.reasons).toEqual(['TOKEN_REVOKED']);
    });

    it('when all sessions of the account are revoked, as by disabling it', async () => {
      const guest = await registerUser(service);
      const feed = await listenAs(guest, await groupWith(guest));
      const ended = await inTransaction(service.database, (em) => revokeSessionsOf(em, guest.id, clock.now()));
      service.accounts.revocations.publish(ended);
      await feed.ended;
      expect(feed.reasons).toEqual(['TOKEN_REVOKED']);
    });

    it('when the account is deleted', async () => {
      const guest = await registerUser(service);
      const groupId = await groupWith(guest);
      const [theirs, ours] = [await listenAs(guest, groupId), await listenAs(owner, groupId)];
      await guest.data('mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }', {
        input: { password: PASSWORD },
      });
      await theirs.ended;
      expect(theirs.changes).toEqual([]);
      expect(['TOKEN_REVOKED', 'GROUP_NOT_FOUND']).toContain(theirs.reasons[0]);
      expect(await ours.waitForChanges(1)).toMatchObject([{ cause: 'ACCOUNT_DELETED' }]);
    });

    it('when the token expires, to the second', async () => {
      const guest = await registerUser(service);
      const groupId = await groupWith(guest);
      const feed = await listenAs(guest, groupId);
      clock.advance(15 * MINUTE_MS - 1_000);
      const { accessToken } = await loginAgain(owner);
      await renameGroup(new TestClient(service.url, accessToken), groupId, 'In time');
      await feed.waitForChanges(1);
      clock.advance(1_000);
      await renameGroup(new TestClient(service.url, accessToken), groupId, 'Too late');
      expect(await feed.ended).toBe('complete');
      expect([revisionsOf(feed.changes), feed.reasons]).toEqual([[3], ['TOKEN_EXPIRED']]);
      owner = await renewed(owner);
    });

    it('when the API key no longer exists', async () => {
      const feed = await listenWithKey(['groups:read'], await groupWith());
      await service.database.pool.query('delete from api_key');
      expect(await feed.ended).toBe('complete');
      expect(feed.reasons).toEqual(['TOKEN_INVALID']);
    });

    it('when the group no longer exists', async () => {
      const admin = await registerAdmin(service);
      const groupId = await groupWith();
      const feed = await listenAs(admin, groupId);
      await service.database.pool.query('delete from groups where id = $1', [groupId]);
      expect(await feed.ended).toBe('complete');
      expect(feed.reasons).toEqual(['GROUP_NOT_FOUND']);
    });

    it('when the client disconnects, and leaves no state behind', async () => {
      const groupId = await groupWith();
      const listening = await Promise.all(Array.from({ length: 20 }, () => listenAs(owner, groupId)));
      expect(service.groups.changeFeed.subscriberCount).toBe(20);
      for (const feed of listening) feed.disconnect();
      await waitUntil('every listener to be forgotten', () => service.groups.changeFeed.subscriberCount === 0);
    });
  });

  async function loginAgain(user: TestUser): Promise<{ accessToken: string }> {
    const { issueToken } = await new TestClient(service.url).data<{ issueToken: { accessToken: string } }>(
      'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }',
      { input: { username: user.username, password: PASSWORD } },
    );
    return issueToken;
  }

  async function renewed(user: TestUser): Promise<TestUser> {
    const { accessToken } = await loginAgain(user);
    return Object.assign(new TestClient(service.url, accessToken), {
      id: user.id,
      username: user.username,
      token: accessToken,
    });
  }

  describe('the transport of results', () => {
    it('sends other operations as one result', async () => {
      const { text } = await owner.post('/graphql', { query: '{ me { username } }' }, { accept });
      expect(text).toMatch(ending);
      expect(firstResult(STREAM_FORMATS[format], text)).toEqual({ data: { me: { username: owner.username } } });
    });

    it('sends document errors as a result', async () => {
      const { status, text } = await owner.post('/graphql', { query: 'subscription { nothing }' }, { accept });
      expect(status).toBe(200);
      expect(text).toContain('"code":"GRAPHQL_VALIDATION_FAILED"');
      expect(text).toMatch(ending);
    });

    it('is required for subscriptions, and negotiated for queries', async () => {
      const groupId = await groupWith();
      const asked = { query: changesDocument(), variables: { groupId } };
      expect(await owner.post('/graphql', asked, { accept: 'application/json' })).toMatchObject({
        status: 406,
        body: { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] },
      });
      const { headers } = await owner.post(
        '/graphql',
        { query: '{ me { id } }' },
        { accept: `${accept}, application/json` },
      );
      expect(headers.get('content-type')).toContain('application/json');
    });

    it('starts no stream for HEAD, and runs no mutation by GET', async () => {
      const groupId = await groupWith();
      const parameters = { query: changesDocument(), variables: JSON.stringify({ groupId }) };
      const url = `/graphql?${new URLSearchParams(parameters).toString()}`;
      expect(await owner.send('HEAD', url, { headers: { accept } })).toMatchObject({
        status: 405,
      });
      const query = 'mutation { revokeToken(input: {}) { revokedSessions } }';
      const mutation = `/graphql?${new URLSearchParams({ query }).toString()}`;
      expect(await owner.get(mutation, { accept })).toMatchObject({ status: 405 });
    });
  });
}
