/**
 * Compares a group of 20 with a large one: count, state, first page, the response of a member and the groups of a
 * member, in interleaved rounds; then the complete REST list of the large group. Both groups are seeded by SQL, with
 * their history.
 *
 *   npm run bench:large-group             1,000,000 members
 *   npm run bench:large-group -- 100000   100,000 members
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { App } from '../src/app.js';
import { tuneGarbageCollection } from '../src/tune-garbage-collection.js';
import { openClient, type Client } from './client.js';
import { compareSides, type Comparison } from './compare-sides.js';
import { withService } from './measure.js';
import { printProgress } from './print-progress.js';
import {
  accountId,
  groupId,
  requireConsistentGroups,
  seedAccounts,
  seedGroups,
  vacuum,
  withSeedConnection,
  type Connection,
  type SeededGroups,
} from './seed-rows.js';

const SMALL = 20;
const MIB = 1_024 * 1_024;
/** Numbers of the groups. The large group has the members of the first one, too; the last two have the same members. */
const GROUPS = { small: 0, large: 1, others: 2 } as const;
/** The number of the account, in both groups, whose responses are measured. */
const MEMBER = 1;

/** A group, and a client of a member of it. */
interface Side {
  readonly group: string;
  readonly client: Client;
  /** A member of two groups: of two small ones, or of a small and the large one. */
  readonly memberOfTwo: Client;
}

const large = Number(process.argv[2] ?? 1_000_000);

async function measure(service: App, base: string): Promise<void> {
  await withSeedConnection(service.databaseUrl, seed);
  const client = await openClient(service, base, accountId(MEMBER));
  const ofSmallGroups = await openClient(service, base, accountId(large));
  const small = { group: groupId(GROUPS.small), client, memberOfTwo: ofSmallGroups };
  const big = { group: groupId(GROUPS.large), client, memberOfTwo: client };
  await compareSides(['group of 20', `group of ${large.toLocaleString('en')}`], OPERATIONS, small, big);
  await withSeedConnection(service.databaseUrl, requireConsistentGroups);
  await completeList(base, big);
}

async function seed(connection: Connection): Promise<void> {
  const accounts = { count: large + SMALL, passwordHash: 'none' };
  await seedAccounts(connection, accounts, printProgress('accounts'));
  const groups: SeededGroups[] = [
    { firstGroup: GROUPS.small, groupCount: 1, firstAccount: 0, size: SMALL },
    { firstGroup: GROUPS.large, groupCount: 1, firstAccount: 0, size: large },
    { firstGroup: GROUPS.others, groupCount: 1, firstAccount: large, size: SMALL },
    { firstGroup: GROUPS.others + 1, groupCount: 1, firstAccount: large, size: SMALL },
  ];
  for (const group of groups)
    await seedGroups(connection, group, printProgress(`members of group ${group.firstGroup}`));
  await requireConsistentGroups(connection);
  await vacuum(connection);
}

const OPERATIONS: readonly Comparison<Side>[] = [
  {
    name: 'accepted count (REST)',
    run: ({ group, client }) => client.get(`/api/groups/${group}/accepted-count`),
  },
  {
    name: 'state and counts (GraphQL)',
    run: ({ group, client }) =>
      client.graphql('query ($id: UUID!) { group(id: $id) { state responseCounts { accepted pending } } }', {
        id: group,
      }),
  },
  {
    name: 'response of a member (REST)',
    run: ({ group, client }, round) =>
      client.send('PATCH', `/api/groups/${group}/users/${accountId(MEMBER)}/status`, {
        status: round % 2 === 0 ? 'accepted' : 'tentative',
      }),
  },
  {
    name: 'first page of 10 members (REST)',
    run: ({ group, client }) => client.get(`/api/groups/${group}/members?limit=10`),
  },
  {
    name: 'first page of 5 accepted members (REST)',
    run: ({ group, client }) => client.get(`/api/groups/${group}/members?limit=5&status=accepted`),
  },
  {
    name: 'groups of a member of two (GraphQL)',
    run: ({ memberOfTwo }) =>
      memberOfTwo.graphql(
        '{ me { memberships(first: 20) { totalCount nodes { status group { name state acceptedCount } } } } }',
        {},
      ),
  },
];

const ROW_MARK = '"user_id"';
const LOOK_EVERY_MS = 20;

interface ReadList {
  readonly bytes: number;
  readonly rows: number;
}

/** Reads the list in a process of its own, so that the memory of this one is that of the service. */
async function completeList(base: string, { group, client }: Side): Promise<void> {
  tuneGarbageCollection();
  globalThis.gc?.();
  const idle = process.memoryUsage().rss;
  let peak = idle;
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, LOOK_EVERY_MS);
  const start = performance.now();
  const processorStart = process.cpuUsage();
  const url = `${base}/api/groups/${group}/members`;
  const reader = fileURLToPath(new URL('read-list.ts', import.meta.url));
  const args = [...process.execArgv, reader, url, client.token, ROW_MARK];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  clearInterval(looking);
  const { rows, bytes } = JSON.parse(stdout) as ReadList;
  if (rows !== large) throw new Error(`The list has ${String(rows)} rows of ${String(large)} members`);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(processorStart);
  console.log(
    `\ncomplete REST list: ${rows.toLocaleString('en')} rows, ${(bytes / MIB).toFixed(1)} MiB in ` +
      `${seconds.toFixed(2)} s: ${Math.round(rows / seconds).toLocaleString('en')} rows/s; ` +
      `${((user + system) / rows).toFixed(1)} µs of processor time of the service per row; ` +
      `resident memory at most ${((peak - idle) / MIB).toFixed(0)} MiB above idle`,
  );
}

await withService(measure);
