/**
 * Compares a service with 10,000 accounts with one that has millions, in interleaved rounds: logins, registrations,
 * reads of one account, search, and the groups of a user. Every account is a member of one group of 20. Afterwards it
 * prints the depth of the indexes, and that for 10 million accounts.
 *
 *   npm run bench:many-accounts             2,000,000 accounts
 *   npm run bench:many-accounts -- 500000   500,000 accounts
 */
import { randomUUID } from 'node:crypto';
import type { App } from '../src/app.js';
import { FAKE_HASHER } from '../tests/support/service/test-core.js';
import { openClient, type Client } from './client.js';
import { compareSides, type Comparison } from './compare-sides.js';
import { printIndexDepths } from './index-depths.js';
import { goodAnswer, withService } from './measure.js';
import { printProgress } from './print-progress.js';
import {
  accountId,
  addressOf,
  requireConsistentGroups,
  seedAccounts,
  seedGroups,
  usernameOf,
  vacuum,
  withSeedConnection,
  type Connection,
} from './seed-rows.js';

const SMALL = 10_000;
const GROUP_SIZE = 20;
/** Users with an open session. */
const CLIENTS = 200;
const PASSWORD = 'a password of the benchmark';
const LARGE_PRIME = 7_919_083;

/** A service, its number of accounts and clients of it. */
interface Side {
  readonly base: string;
  readonly count: number;
  readonly admin: Client;
  readonly clients: readonly Client[];
}

const large = Number(process.argv[2] ?? 2_000_000);
/** The cost of a real password hash would hide that of finding its account. */
const overrides = { hasher: FAKE_HASHER };

const OPERATIONS: readonly Comparison<Side>[] = [
  { name: 'login by username (REST)', run: (side, round) => logIn(side, usernameOf(numberOf(side, round))) },
  { name: 'login by email address (REST)', run: (side, round) => logIn(side, addressOf(numberOf(side, round))) },
  { name: 'registration (REST)', run: (side) => register(side, newAccount()) },
  {
    name: 'registration of a taken username (REST)',
    run: (side, round) => register(side, { ...newAccount(), username: usernameOf(numberOf(side, round)) }, 409),
  },
  {
    name: 'user by id (GraphQL, administrator)',
    run: (side, round) =>
      side.admin.graphql('query ($id: UUID!) { user(id: $id) { username displayName } }', {
        id: accountId(numberOf(side, round)),
      }),
  },
  { name: 'search by username (GraphQL, administrator)', run: (side, round) => search(side, usernameOf, round) },
  { name: 'search by email address (GraphQL, administrator)', run: (side, round) => search(side, addressOf, round) },
  { name: 'me (REST)', run: (side, round) => clientOf(side, round).get('/api/auth/me') },
  {
    name: 'my groups (GraphQL)',
    run: (side, round) =>
      clientOf(side, round).graphql(
        '{ me { memberships(first: 20) { totalCount nodes { status group { name state acceptedCount } } } } }',
        {},
      ),
  },
];

async function measure(): Promise<void> {
  await withService(
    (few, base) =>
      withService(async (many, manyBase) => {
        const small = await prepare(few, base, SMALL);
        const big = await prepare(many, manyBase, large);
        await compareSides(
          [`${SMALL.toLocaleString('en')} accounts`, large.toLocaleString('en')],
          OPERATIONS,
          small,
          big,
        );
        await withSeedConnection(many.databaseUrl, (connection) =>
          printIndexDepths(connection, ['account', 'member', 'groups', 'group_change']),
        );
      }, overrides),
    overrides,
  );
}

async function prepare(service: App, base: string, count: number): Promise<Side> {
  const passwordHash = await service.accounts.hasher.hash(PASSWORD);
  await withSeedConnection(service.databaseUrl, (connection) => seed(connection, count, passwordHash));
  const clients: Client[] = [];
  for (let client = 0; client < CLIENTS; client += 1)
    clients.push(await openClient(service, base, accountId(scatter(client, count))));
  return { base, count, admin: await openClient(service, base, accountId(0), ['USER', 'ADMIN']), clients };
}

async function seed(connection: Connection, count: number, passwordHash: string): Promise<void> {
  await seedAccounts(connection, { count, passwordHash }, printProgress('accounts'));
  const groups = { firstGroup: 0, groupCount: Math.floor(count / GROUP_SIZE), firstAccount: 0, size: GROUP_SIZE };
  await seedGroups(connection, groups, printProgress('members'));
  await requireConsistentGroups(connection);
  await connection.query(`update account set roles = '{USER,ADMIN}' where id = $1`, [accountId(0)]);
  await vacuum(connection);
}

/** Spreads the rounds over all accounts, also those of the warm-up, which are below 0. */
function scatter(round: number, count: number): number {
  return ((round + count) * LARGE_PRIME) % count;
}

function numberOf({ count }: Side, round: number): number {
  return scatter(round, count);
}

function clientOf({ clients }: Side, round: number): Client {
  return clients.at(round % clients.length)!;
}

function logIn({ base }: Side, username: string): Promise<string> {
  return post(base, '/api/auth/token', { username, password: PASSWORD }).then(goodAnswer);
}

async function register({ base }: Side, account: object, expectedStatus = 201): Promise<void> {
  const response = await post(base, '/api/auth/register', account);
  const text = await response.text();
  if (response.status !== expectedStatus) throw new Error(`${String(response.status)} ${text.slice(0, 300)}`);
}

function newAccount(): object {
  const username = `new-${randomUUID().slice(24)}`;
  return { username, email: `${username}@example.org`, password: PASSWORD };
}

function search(side: Side, textOf: (n: number) => string, round: number): Promise<string> {
  return side.admin.graphql('query ($text: String!) { users(search: $text, first: 20) { nodes { id username } } }', {
    text: textOf(numberOf(side, round)),
  });
}

function post(base: string, path: string, body: object): Promise<Response> {
  return fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

await measure();
