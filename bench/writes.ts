/**
 * Measures what the writes cost besides the status change: SQL statements, and processor time per request.
 *
 *   npm run bench:writes                              5 rounds
 *   npm run bench:writes -- --rounds 9
 *   npm run bench:writes -- --compare ../other/dist   a second build, in interleaved rounds
 *
 * The service is a process of its own, in production mode. Its processor time leaves out the threads that hash
 * passwords. That of a registration includes its three follow-ups, for which each round waits.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runSql, startBenchServer, type BenchServer } from './comparison/database.js';
import { processorMs } from './comparison/measuring/processor-time.js';
import { startSubject, type RunningSubject } from './comparison/subjects/running-subject.js';
import { goodAnswer, median, statementsOf, withService } from './measure.js';

const CLIENTS = 8;
const INVITEES = 500;
const PORT = 4_530;
const PASSWORD = 'a password of the benchmark';
const MS_PER_TICK = 10;
const LOOK_EVERY_MS = 50;

const { values } = parseArgs({ options: { rounds: { type: 'string' }, compare: { type: 'string' } } });
const rounds = Number(values.rounds ?? 5);

/** Requests of one operation in a round. */
const REQUESTS = { register: 160, refresh: 800, createGroup: 400, recordScore: 800, invite: 16 } as const;
type Operation = keyof typeof REQUESTS;
const OPERATIONS = Object.keys(REQUESTS) as Operation[];

/** The clients of one service, each with a session of its own. */
class Clients {
  readonly #base: string;
  readonly #databaseUrl: string;
  readonly #refreshTokens: string[] = [];
  #owner = '';
  #apiKey = '';
  #groups: string[] = [];
  #emptyGroups: string[] = [];
  #invitees: string[] = [];
  #names = 0;

  constructor(base: string, databaseUrl: string) {
    this.#base = base;
    this.#databaseUrl = databaseUrl;
  }

  async prepare(): Promise<void> {
    const name = this.#newName();
    await this.#post('/api/auth/register', { username: name, password: PASSWORD });
    await runSql(this.#databaseUrl, `update account set roles = '{USER,ADMIN}' where username = $1`, [name]);
    for (let client = 0; client < CLIENTS; client += 1) {
      const tokens = await this.#post('/api/auth/token', { username: name, password: PASSWORD });
      this.#refreshTokens.push(String(tokens['refresh_token']));
      this.#owner = `Bearer ${String(tokens['access_token'])}`;
    }
    const key = await this.#mutate(
      this.#owner,
      'mutation { createApiKey(input: { name: "bench", scopes: [SCORES_WRITE] }) { secret } }',
    );
    this.#apiKey = `Bearer ${(key['createApiKey'] as { secret: string }).secret}`;
    const invitees = await runSql<{ id: string }>(
      this.#databaseUrl,
      `insert into account (id, username, username_key, password_hash, created_at)
       select gen_random_uuid(), name, name, 'x', now()
       from (select 'invitee-' || gen_random_uuid() as name from generate_series(1, $1)) names returning id`,
      [INVITEES],
    );
    this.#invitees = invitees.map(({ id }) => id);
    for (let client = 0; client < CLIENTS; client += 1) this.#groups.push(await this.#newGroup());
  }

  /** @param client a client sends one request after another */
  async run(operation: Operation, client: number): Promise<void> {
    switch (operation) {
      case 'register':
        await this.#post('/api/auth/register', { username: this.#newName(), password: PASSWORD });
        return;
      case 'refresh':
        await this.#refresh(client);
        return;
      case 'createGroup':
        await this.#newGroup();
        return;
      case 'recordScore':
        await this.#mutate(
          this.#apiKey,
          `mutation Score($input: RecordCompatibilityScoreInput!) {
            recordCompatibilityScore(input: $input) { group { id compatibilityScore { value } } } }`,
          { groupId: this.#groups[client], value: 50, source: 'bench' },
        );
        return;
      case 'invite':
        await this.#mutate(
          this.#owner,
          `mutation Invite($input: InviteToGroupInput!) {
            inviteToGroup(input: $input) { group { revision } results { outcome } } }`,
          { groupId: this.#emptyGroups.pop(), invitees: this.#invitees.map((userId) => ({ userId })) },
        );
    }
  }

  /** Groups for the invitations of a round, which are not measured. */
  async prepareRound(operation: Operation): Promise<void> {
    if (operation !== 'invite') return;
    this.#emptyGroups = [];
    for (let count = 0; count < REQUESTS.invite; count += 1) this.#emptyGroups.push(await this.#newGroup());
  }

  #newName(): string {
    this.#names += 1;
    return `user-${String(this.#names)}`;
  }

  async #newGroup(): Promise<string> {
    const data = await this.#mutate(
      this.#owner,
      'mutation Create($input: CreateGroupInput!) { createGroup(input: $input) { group { id revision } } }',
      { name: 'Supper club', quorum: 3 },
    );
    return (data['createGroup'] as { group: { id: string } }).group.id;
  }

  async #refresh(client: number): Promise<void> {
    const tokens = await this.#post('/api/auth/token', {
      grant_type: 'refresh_token',
      refresh_token: this.#refreshTokens[client],
    });
    this.#refreshTokens[client] = String(tokens['refresh_token']);
  }

  async #mutate(authorization: string, query: string, input?: object): Promise<Record<string, unknown>> {
    const answer = await this.#post('/graphql', { query, variables: { input } }, authorization);
    return answer['data'] as Record<string, unknown>;
  }

  async #post(path: string, body: object, authorization?: string): Promise<Record<string, unknown>> {
    const answer = await fetch(this.#base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
      body: JSON.stringify(body),
    });
    return JSON.parse(await goodAnswer(answer)) as Record<string, unknown>;
  }
}

interface Build {
  readonly name: string;
  readonly clients: Clients;
  readonly subject: RunningSubject;
  readonly databaseUrl: string;
}

interface Cost {
  /** Microseconds per request. */
  readonly service: number;
  readonly postgres: number;
}

const bench = await startBenchServer();
const builds: Build[] = [];
try {
  const folders = ['dist', ...(values.compare === undefined ? [] : [values.compare])];
  for (const [index, folder] of folders.entries()) builds.push(await startBuild(bench, folder, PORT + index));
  await measureCosts(builds);
} finally {
  for (const { subject } of builds) await subject.stop();
  await bench.stop();
}
await withService(async (service, base) => {
  const clients = new Clients(base, service.databaseUrl);
  await clients.prepare();
  await countStatements(clients);
});

async function startBuild(server: BenchServer, folder: string, port: number): Promise<Build> {
  const databaseUrl = await server.createDatabase(`writes_${String(port)}`);
  const subject = await startSubject({
    name: folder,
    folder: process.cwd(),
    command: ['--max-semi-space-size=8', resolve(folder, 'src/main.js')],
    environment: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATA_DIR: server.folder,
      SERVER_SECRET: randomBytes(32).toString('base64'),
      PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
      SMTP_URL: 'smtp://127.0.0.1:2599',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      PORT: String(port),
    },
    port,
    exchanges: { me: { request: () => ({ path: '/readyz' }), isRight: () => true } },
  });
  const clients = new Clients(`http://127.0.0.1:${String(port)}`, databaseUrl);
  await clients.prepare();
  return { name: folder, clients, subject, databaseUrl };
}

async function measureCosts(measured: readonly Build[]): Promise<void> {
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const operation of OPERATIONS) {
      for (const build of measured) {
        const cost = await costOf(build, operation);
        // The first round warms up.
        if (round > 0)
          costs.set(`${operation} ${build.name}`, [...(costs.get(`${operation} ${build.name}`) ?? []), cost]);
      }
    }
  }
  console.log('| operation | build | service, µs | PostgreSQL, µs |\n|---|---|---|---|');
  for (const operation of OPERATIONS) {
    for (const { name } of measured) {
      const found = costs.get(`${operation} ${name}`) ?? [];
      const [service, postgres] = [
        median(found.map((cost) => cost.service)),
        median(found.map((cost) => cost.postgres)),
      ];
      console.log(`| ${operation} | ${name} | ${service.toFixed(0)} | ${postgres.toFixed(0)} |`);
    }
  }
}

async function costOf({ clients, subject, databaseUrl }: Build, operation: Operation): Promise<Cost> {
  await clients.prepareRound(operation);
  const before = { service: workMs(subject.pid), postgres: processorMs(bench.postmaster) };
  let left = REQUESTS[operation];
  const client = async (_: unknown, number: number): Promise<void> => {
    for (; left > 0;) {
      left -= 1;
      await clients.run(operation, number);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await followUpsDone(databaseUrl);
  return {
    service: ((workMs(subject.pid) - before.service) * 1_000) / REQUESTS[operation],
    postgres: ((processorMs(bench.postmaster) - before.postgres) * 1_000) / REQUESTS[operation],
  };
}

async function followUpsDone(databaseUrl: string): Promise<void> {
  const due = `select 1 from outbox_task where due_at < now() + interval '2 minutes' limit 1`;
  while ((await runSql(databaseUrl, due)).length > 0) await pause(LOOK_EVERY_MS);
}

/** Processor time of a process without the threads that hash passwords. */
function workMs(pid: number): number {
  let ticks = 0;
  for (const thread of readdirSync(`/proc/${String(pid)}/task`)) {
    const stat = readFileSync(`/proc/${String(pid)}/task/${thread}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (!stat.includes('(libuv-worker')) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * MS_PER_TICK;
}

async function countStatements(clients: Clients): Promise<void> {
  console.log('\n| operation | SQL statements, begin and commit included |\n|---|---|');
  for (const operation of OPERATIONS) {
    const counts: number[] = [];
    for (let tried = 0; tried < 5; tried += 1) {
      await clients.prepareRound(operation);
      await pause(300);
      counts.push(await statementsOf(() => clients.run(operation, 0)));
    }
    console.log(`| ${operation} | ${String(Math.min(...counts))} |`);
  }
}
