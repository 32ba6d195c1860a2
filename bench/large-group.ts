/**
 * Compares a group of 20 with a large one: counts, state, first page and one response, in interleaved rounds; then the
 * complete REST list of the large group.
 *
 *   npm run bench:large-group            100,000 members
 *   npm run bench:large-group -- 20000   20,000 members
 */
import { newId } from '../src/accounts/index.js';
import type { App } from '../src/app.js';
import { seedLargeGroup, type LargeGroup } from '../src/cli/demo/seed-large-group.js';
import { goodAnswer, median, statementsOf, timed, withService } from './measure.js';

const ROUNDS = 300;
const SMALL = 20;
const MIB = 1_024 * 1_024;

interface Operation {
  readonly name: string;
  run(group: LargeGroup, round: number): Promise<void>;
}

const large = Number(process.argv[2] ?? 100_000);
await withService(measure);

async function measure(service: App, base: string): Promise<void> {
  const started = performance.now();
  const small = await seedLargeGroup(service, SMALL, () => undefined);
  const big = await seedLargeGroup(service, large, (done) => {
    if (done % 10_000 === 0)
      process.stdout.write(`\rseeding: ${done.toLocaleString('en')} of ${large.toLocaleString('en')} members`);
  });
  console.log(
    `\rseeded ${large.toLocaleString('en')} members in ${((performance.now() - started) / 1_000).toFixed(0)} s`.padEnd(
      60,
    ),
  );
  await service.database.pool.query('analyze');
  const token = await tokenFor(service, small);
  // One administrator for both groups, who may respond for any member.
  await service.database.pool.query('update account set roles = $1 where id = $2', [
    ['USER', 'ADMIN'],
    small.owner.userId,
  ]);
  console.log(
    '\n| operation | group of 20, median ms | large group, median ms | ratio | SQL statements |\n|---|---|---|---|---|',
  );
  for (const operation of operations(base, token)) await compare(operation, small, big);
  await completeList(base, token, big);
}

async function tokenFor(service: App, { owner }: LargeGroup): Promise<string> {
  const sessionId = newId();
  await service.database.pool.query(
    'insert into session (id, user_id, created_at, rotated_at, expires_at) values ($1, $2, now(), now(), now() + ' +
      '$3::interval)',
    [sessionId, owner.userId, '1 day'],
  );
  return service.accounts.accessTokens.sign({ userId: owner.userId, sessionId, roles: ['USER'] }).accessToken;
}

function operations(base: string, token: string): Operation[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const get = async (path: string): Promise<void> => {
    await goodAnswer(await fetch(base + path, { headers }));
  };
  const graphql = async (query: string, variables: object): Promise<void> => {
    await goodAnswer(
      await fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) }),
    );
  };
  return [
    { name: 'accepted count (REST)', run: ({ groupId }) => get(`/api/groups/${groupId}/accepted-count`) },
    {
      name: 'state and counts (GraphQL)',
      run: ({ groupId }) =>
        graphql('query ($id: UUID!) { group(id: $id) { state responseCounts { accepted pending } } }', { id: groupId }),
    },
    { name: 'first page of 20 members (REST)', run: ({ groupId }) => get(`/api/groups/${groupId}/members?limit=20`) },
    {
      name: 'one answer (REST)',
      run: async ({ groupId, memberIds }, round) => {
        const body = JSON.stringify({ status: round % 2 === 0 ? 'accepted' : 'tentative' });
        await goodAnswer(
          await fetch(`${base}/api/groups/${groupId}/users/${memberIds[1] ?? ''}/status`, {
            method: 'PATCH',
            headers,
            body,
          }),
        );
      },
    },
  ];
}

async function compare(operation: Operation, small: LargeGroup, big: LargeGroup): Promise<void> {
  const times = { small: [] as number[], big: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.small.push(await timed(() => operation.run(small, round)));
    times.big.push(await timed(() => operation.run(big, round)));
  }
  const [a, b] = [median(times.small), median(times.big)];
  const statements = [
    await statementsOf(() => operation.run(small, 1)),
    await statementsOf(() => operation.run(big, 1)),
  ];
  console.log(
    `| ${operation.name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} | ${statements.join(' and ')} |`,
  );
}

async function completeList(base: string, token: string, { groupId }: LargeGroup): Promise<void> {
  globalThis.gc?.();
  const idle = process.memoryUsage().rss;
  let peak = idle;
  const start = performance.now();
  const answer = await fetch(`${base}/api/groups/${groupId}/members`, {
    headers: { authorization: `Bearer ${token}` },
  });
  let bytes = 0;
  let rows = 0;
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    rows += decoder.decode(chunk, { stream: true }).split('"user_id"').length - 1;
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  const seconds = (performance.now() - start) / 1_000;
  console.log(
    `\ncomplete REST list: about ${rows.toLocaleString('en')} rows, ${(bytes / MIB).toFixed(1)} MiB in ` +
      `${seconds.toFixed(2)} s: ${Math.round(rows / seconds).toLocaleString('en')} rows/s; ` +
      `resident memory at most ${((peak - idle) / MIB).toFixed(0)} MiB above idle (with the reader in the same ` +
      `process)`,
  );
}
