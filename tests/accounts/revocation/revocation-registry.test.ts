import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import config from '../../../mikro-orm.config.js';
import { accountRetentionRules, newId, RevocationRegistry } from '../../../src/accounts/index.js';
import { revocationTtlMs, RevokedSessionCache } from '../../../src/accounts/revocation/revocation-registry.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { inTransaction, openDatabase, type Database } from '../../../src/database/index.js';
import { startFaultProxy } from '../../support/database/fault-proxy.js';
import { pruneOnce } from '../../support/database/prune-once.js';
import { revokeSessionsOf } from '../../support/revoke-sessions-of.js';
import { waitUntil } from '../../support/wait-until.js';
import { createSessionsFixture, type SessionsFixture } from '../sessions/sessions-fixture.js';

const TTL_MS = 900_000;
/** A second, and what a busy machine adds to it. */
const SOON_MS = 1_000;
const CHANNEL = 'convene_revocations';

let fixture: SessionsFixture;
let otherDatabase: Database;
const following: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  fixture = await createSessionsFixture();
  await fixture.join('ada');
  otherDatabase = await openDatabase({ url: fixture.databaseUrl, poolSize: 3, orm: config, warn: () => undefined });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(following.splice(0).map((each) => each.stop()));
  await terminateListeners();
});

afterAll(async () => {
  await otherDatabase.close();
  await fixture.remove();
});

const NO_OUTAGE = { reportFailure: () => undefined, reportSuccess: () => undefined };

function makeNode(database = otherDatabase): RevocationRegistry {
  return new RevocationRegistry({
    database,
    clock: fixture.clock,
    accessTokenTtlMs: TTL_MS,
    onError: (error) => {
      throw error;
    },
  });
}

/** Another process, as it is once it has started. */
async function startNode(url = fixture.databaseUrl, database = otherDatabase): Promise<RevocationRegistry> {
  const node = makeNode(database);
  following.push(await node.start(url, NO_OUTAGE));
  return node;
}

/** Commits the revocation of a session without a notification. */
async function revokeWithoutNotification(): Promise<string> {
  const grant = await fixture.logIn('ada');
  const { userId, sessionId } = await fixture.actorOf(grant);
  await inTransaction(fixture.database, (em) => revokeSessionsOf(em, userId, fixture.clock.now()));
  return sessionId;
}

/** Terminates every LISTEN connection. */
async function terminateListeners(): Promise<number> {
  const { rowCount } = await fixture.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [`convene ${CHANNEL}`],
  );
  return rowCount ?? 0;
}

/** Time until the node reports the session as revoked. */
async function msUntilRevoked(node: RevocationRegistry, sessionId: string): Promise<number> {
  const begun = performance.now();
  await waitUntil('it is revoked', () => node.isRevoked(sessionId));
  return performance.now() - begun;
}

/** Number of queries that `work` sends through the pool. */
async function countQueries(database: Database, work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(database.pool, 'query');
  await work();
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
}

describe('RevocationRegistry', () => {
  it('reports a published revocation immediately, and within 1 s on other nodes', async () => {
    const [here, there] = [await startNode(), await startNode()];
    const sessionId = await revokeWithoutNotification();
    here.publish([sessionId]);
    expect(await here.isRevoked(sessionId)).toBe(true);
    expect(await msUntilRevoked(there, sessionId)).toBeLessThan(SOON_MS);
  });

  it('reports a revocation that was not published within 1 s', async () => {
    const node = await startNode();
    const sessionId = await revokeWithoutNotification();
    expect(await msUntilRevoked(node, sessionId)).toBeLessThan(SOON_MS);
  });

  it('does not report other sessions', async () => {
    const node = await startNode();
    node.publish([await revokeWithoutNotification()]);
    expect(await node.isRevoked(newId())).toBe(false);
  });

  it('reports earlier revocations after a start, from memory', async () => {
    const sessionId = await revokeWithoutNotification();
    const node = await startNode();
    expect(await node.isRevoked(sessionId)).toBe(true);
    expect(await countQueries(otherDatabase, () => node.isRevoked(sessionId))).toBe(0);
  });

  it('reports a revocation whose transaction began before others that were read', async () => {
    const node = await startNode();
    const { userId, sessionId } = await fixture.actorOf(await fixture.logIn('ada'));
    await inTransaction(fixture.database, async (em) => {
      await revokeSessionsOf(em, userId, fixture.clock.now());
      // Later transactions are committed, and seen, while this one is still open.
      await msUntilRevoked(node, await insertRevocation());
      expect(await node.isRevoked(sessionId)).toBe(false);
    });
    expect(await msUntilRevoked(node, sessionId)).toBeLessThan(SOON_MS);
  });

  it('does not report a revocation that was rolled back', async () => {
    const node = await startNode();
    const { userId, sessionId } = await fixture.actorOf(await fixture.logIn('ada'));
    await inTransaction(fixture.database, async (em) => {
      await revokeSessionsOf(em, userId, fixture.clock.now());
      throw new Error('changed my mind');
    }).catch(() => undefined);
    await msUntilRevoked(node, await insertRevocation());
    expect(await node.isRevoked(sessionId)).toBe(false);
  });

  it('evicts a revocation when no access token of its session can be valid by any clock', async () => {
    const node = await startNode();
    const sessionId = await revokeWithoutNotification();
    await msUntilRevoked(node, sessionId);
    fixture.clock.advance(revocationTtlMs(TTL_MS) - 1);
    await msUntilRevoked(node, await insertRevocation());
    expect(await node.isRevoked(sessionId)).toBe(true);
    fixture.clock.advance(1);
    await waitUntil('it is forgotten', async () => !(await node.isRevoked(sessionId)));
    expect(await (await startNode()).isRevoked(sessionId)).toBe(false);
  });
});

/** Commits a revocation. A node that reports it has read all that were committed before. */
async function insertRevocation(): Promise<string> {
  const sessionId = newId();
  await fixture.database.pool.query('insert into session_revocation (session_id, revoked_at) values ($1, $2)', [
    sessionId,
    fixture.clock.now(),
  ]);
  return sessionId;
}

describe('RevocationRegistry with a wrong clock', () => {
  /** Waits for the next poll, which evicts by the clock. */
  async function waitForPoll(node: RevocationRegistry): Promise<void> {
    await msUntilRevoked(node, await insertRevocation());
  }

  /** A session that has ended, and is in force as such on the node. */
  async function revokedOn(node: RevocationRegistry): Promise<string> {
    const sessionId = await revokeWithoutNotification();
    await msUntilRevoked(node, sessionId);
    return sessionId;
  }

  it('reports the revocation again when a clock that was a day ahead is corrected', async () => {
    const node = await startNode();
    const sessionId = await revokedOn(node);
    fixture.clock.advance(DAY_MS);
    await waitUntil('it is forgotten', async () => !(await node.isRevoked(sessionId)));
    fixture.clock.advance(-DAY_MS);
    expect(await node.isRevoked(sessionId)).toBe(true);
    await waitUntil(
      'it answers from memory',
      async () => (await countQueries(otherDatabase, () => node.isRevoked(newId()))) === 0,
    );
    expect(await node.isRevoked(sessionId)).toBe(true);
  });

  it('reports a revocation when it started while the clock was a day ahead', async () => {
    const sessionId = await revokeWithoutNotification();
    fixture.clock.advance(DAY_MS);
    const node = await startNode();
    fixture.clock.advance(-DAY_MS);
    expect(await node.isRevoked(sessionId)).toBe(true);
    await waitUntil(
      'it answers from memory',
      async () => (await countQueries(otherDatabase, () => node.isRevoked(newId()))) === 0,
    );
    expect(await node.isRevoked(sessionId)).toBe(true);
  });

  it('keeps a revocation that was pruned with a clock a day ahead', async () => {
    const sessionId = await revokeWithoutNotification();
    const outdated = accountRetentionRules({ accessTokenTtlMs: TTL_MS, auditRetentionMs: null });
    await pruneOnce(
      fixture.database,
      fixture.clock.in(DAY_MS),
      outdated.filter(({ table }) => table === 'session_revocation'),
    );
    expect(await (await startNode()).isRevoked(sessionId)).toBe(true);
  });

  it('reports a revocation made with a clock a day behind for the lifetime of access tokens', async () => {
    const node = await startNode();
    const { userId, sessionId } = await fixture.actorOf(await fixture.logIn('ada'));
    fixture.clock.advance(-DAY_MS);
    await inTransaction(fixture.database, (em) => revokeSessionsOf(em, userId, fixture.clock.now()));
    node.publish([sessionId]);
    await waitForPoll(node);
    fixture.clock.advance(DAY_MS);
    await waitForPoll(node);
    expect([await node.isRevoked(sessionId), await (await startNode()).isRevoked(sessionId)]).toEqual([true, true]);
    fixture.clock.advance(revocationTtlMs(TTL_MS) - 1);
    await waitForPoll(node);
    expect([await node.isRevoked(sessionId), await (await startNode()).isRevoked(sessionId)]).toEqual([true, true]);
  });

  it('runs no query when the clock goes back by less than the tolerance', async () => {
    const node = await startNode();
    await waitForPoll(node);
    fixture.clock.advance(-1_000);
    expect(await countQueries(otherDatabase, () => node.isRevoked(newId()))).toBe(0);
    fixture.clock.advance(1_000);
  });
});

describe('RevocationRegistry with a current poll', () => {
  it('answers from memory', async () => {
    const node = await startNode();
    const ids = Array.from({ length: 100 }, newId);
    expect(await countQueries(otherDatabase, () => Promise.all(ids.map((id) => node.isRevoked(id))))).toBe(0);
  });
});

describe('RevocationRegistry.isKnownToBeInForce', () => {
  it('is true without a query, until the session is revoked', async () => {
    const node = await startNode();
    const sessionId = newId();
    expect(node.isKnownToBeInForce(sessionId)).toBe(true);
    node.publish([sessionId]);
    expect(node.isKnownToBeInForce(sessionId)).toBe(false);
  });

  it('is false before start(), when only the database knows', () => {
    expect(makeNode().isKnownToBeInForce(newId())).toBe(false);
  });

  it('is false after 1 s without a poll', async () => {
    const proxy = await startFaultProxy(fixture.databaseUrl);
    const node = await startNode(proxy.url);
    proxy.blackhole();
    await waitUntil('the last poll is old', () => !node.isKnownToBeInForce(newId()));
    await following.pop()?.stop();
    await proxy.stop();
  });
});

describe('RevocationRegistry without a current poll', () => {
  it('reads many sessions in one query before start()', async () => {
    const sessionId = await revokeWithoutNotification();
    const node = makeNode();
    const ids = [sessionId, ...Array.from({ length: 100 }, newId)];
    const responses: boolean[] = [];
    expect(
      await countQueries(otherDatabase, async () => {
        responses.push(...(await Promise.all(ids.map((id) => node.isRevoked(id)))));
      }),
    ).toBe(1);
    expect(responses).toEqual(ids.map((id) => id === sessionId));
  });

  it('queries the database after 1 s without a poll, until a poll succeeds', async () => {
    const proxy = await startFaultProxy(fixture.databaseUrl);
    const node = await startNode(proxy.url);
    proxy.blackhole();
    const sessionId = await revokeWithoutNotification();
    // Neither the notification nor the response to a poll gets through.
    expect(await msUntilRevoked(node, sessionId)).toBeLessThan(SOON_MS + 100);
    expect(await countQueries(otherDatabase, () => node.isRevoked(newId()))).toBe(1);
    proxy.restore();
    await waitUntil(
      'it answers from memory',
      async () => (await countQueries(otherDatabase, () => node.isRevoked(newId()))) === 0,
    );
    await following.pop()?.stop();
    await proxy.stop();
  });

  it('reads missed revocations after a lost connection', async () => {
    const node = await startNode();
    for (let round = 0; round < 5; round += 1) {
      expect(await terminateListeners()).toBeGreaterThan(0);
      const sessionId = await revokeWithoutNotification();
      expect(await msUntilRevoked(node, sessionId)).toBeLessThan(SOON_MS);
    }
  });

  it('reads all revocations again on a new connection, whose database may have been restored', async () => {
    const node = await startNode();
    const sessionId = newId();
    await fixture.database.pool.query(
      `insert into session_revocation (session_id, revoked_at, transaction_id) values ($1, $2, '1')`,
      [sessionId, fixture.clock.now()],
    );
    await msUntilRevoked(node, await insertRevocation());
    expect(await node.isRevoked(sessionId)).toBe(false);
    await terminateListeners();
    await msUntilRevoked(node, sessionId);
  });

  it('throws DATABASE_UNAVAILABLE when the database is down, instead of accepting sessions', async () => {
    const unreachable = await openDatabase({
      url: fixture.databaseUrl,
      poolSize: 1,
      orm: config,
      warn: () => undefined,
    });
    const node = makeNode(unreachable);
    jest
      .spyOn(unreachable.pool, 'query')
      .mockImplementation(() => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) as never);
    await expect(node.isRevoked(newId())).rejects.toMatchObject({ reason: 'DATABASE_UNAVAILABLE' });
    jest.restoreAllMocks();
    await unreachable.close();
  });
});

describe('RevokedSessionCache', () => {
  it('reports sessions until they are evicted', () => {
    const revoked = new RevokedSessionCache();
    revoked.add(['a', 'b'], 100);
    revoked.add(['c'], 200);
    revoked.evictUntil(99);
    expect(['a', 'b', 'c', 'd'].map((id) => revoked.has(id))).toEqual([true, true, true, false]);
    revoked.evictUntil(100);
    expect(['a', 'b', 'c'].map((id) => revoked.has(id))).toEqual([false, false, true]);
    revoked.evictUntil(200);
    expect(revoked.has('c')).toBe(false);
  });

  it('keeps a session until the latest of the reported times', () => {
    const revoked = new RevokedSessionCache();
    revoked.add(['a'], 100);
    revoked.add(['b'], 150);
    revoked.add(['a'], 200);
    revoked.add(['a'], 50);
    revoked.evictUntil(199);
    expect(['a', 'b'].map((id) => revoked.has(id))).toEqual([true, false]);
    revoked.evictUntil(200);
    expect(revoked.has('a')).toBe(false);
  });

  it('keeps sessions too long rather than too short when the clock was set back', () => {
    const revoked = new RevokedSessionCache();
    revoked.add(['before'], 1_000);
    revoked.add(['after'], 100);
    revoked.evictUntil(100);
    expect(revoked.has('after')).toBe(true);
    revoked.evictUntil(1_000);
    expect(revoked.has('after')).toBe(false);
  });
});
