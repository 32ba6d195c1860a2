/**
 * Compares the service with the reference and with programs that users would take instead.
 *
 *   npm run bench                 everything, about 30 minutes
 *   npm run bench -- --quick      the service and the reference, about 3 minutes
 *   npm run bench -- --only status,hot-group
 *
 * Every subject runs as one process in production mode, on one PostgreSQL server, with 32 connections. All subjects of
 * an operation are measured in turn in each round, and compared with the reference of the same round. Answers are
 * checked before, during and after. Results are stored in `bench/comparison/results.json`, and printed into
 * `docs/performance.md` by `--store`.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runSql, startBenchServer, type BenchServer } from './database.js';
import { generateLoad } from './load.js';
import { memoryOf, postgresProcessorMs, processorMs } from './processor-time.js';
import { printTable, storeReport, type Measurement, type Results, type StartFigures } from './report.js';
import { askOnce, startSubject, type RunningSubject } from './running-subject.js';
import { OPERATIONS, type Exchange, type Operation, type Subject } from './subject.js';
import { preparePeers, prepareService, type MissingSubject } from './subjects.js';

const CONNECTIONS = 32;
/** The passes of writes must not overlap, so that each is a change. */
const REQUESTS_PER_RUN = 2_000_000;
const CHECKED_BEFORE = 50;
const CHECKED_LOGINS = 3;
const CHECKED_AFTER = 3;
const IDLE_MS = 2_000;

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, store: { type: 'boolean' } },
});
const quick = values.quick === true;
const operations = OPERATIONS.filter((operation) => values.only?.split(',').includes(operation) ?? true);
const rounds = 3;
const seconds = quick ? 2 : 8;
const warmUpSeconds = quick ? 1 : 2;

const server = await startBenchServer();
const running = new Map<number, RunningSubject>();
try {
  await compare(server);
} finally {
  for (const subject of running.values()) await subject.stop();
  await server.stop();
}

async function compare(bench: BenchServer): Promise<void> {
  console.log('Preparing the databases.');
  const own = await prepareService(bench);
  const peers = quick ? { subjects: [], missing: [] } : await preparePeers(bench);
  const missing: MissingSubject[] = [...peers.missing];
  const starts = await startAll([...own, ...peers.subjects], missing);
  const subjects = [...own, ...peers.subjects].filter(({ port }) => running.has(port));
  const measurements: Measurement[] = [];
  for (const operation of operations) measurements.push(...(await measureOperation(bench, operation, subjects)));
  await requireExactCounts(await bench.database('product'));
  const results: Results = {
    measuredAt: new Date().toISOString(),
    node: process.version,
    postgres: await postgresVersion(await bench.database('product')),
    connections: CONNECTIONS,
    rounds,
    seconds,
    starts: starts.map((figures) => ({ ...figures, peakMiB: peakOf(figures) })),
    measurements,
    missing,
  };
  printTable(results);
  await writeFile(new URL('results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
  if (values.store === true) await storeReport(results);
}

function peakOf({ port }: StartFigures): number {
  const subject = running.get(port);
  return subject === undefined ? 0 : memoryOf(subject.pid).peakMiB;
}

async function startAll(subjects: readonly Subject[], missing: MissingSubject[]): Promise<StartFigures[]> {
  const starts: StartFigures[] = [];
  for (const subject of subjects) {
    const { name, port } = subject;
    if (running.has(port)) continue;
    try {
      const started = await startSubject(subject);
      running.set(port, started);
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const idleMiB = memoryOf(started.pid).residentMiB;
      starts.push({ name, port, startMs: Math.round(started.startMs), idleMiB, peakMiB: 0 });
      console.log(`${name}: answers after ${started.startMs.toFixed(0)} ms, ${String(idleMiB)} MiB`);
    } catch (error) {
      missing.push({ name, reason: String(error).split('\n', 1)[0] ?? '' });
      console.log(`${name}: cannot be measured. ${String(error)}`);
    }
  }
  return starts;
}

async function measureOperation(
  bench: BenchServer,
  operation: Operation,
  subjects: readonly Subject[],
): Promise<Measurement[]> {
  const measured = subjects.flatMap((subject) => {
    const exchange = subject.exchanges[operation];
    return exchange === undefined ? [] : [{ subject, exchange }];
  });
  for (const { subject, exchange } of measured)
    await requireRight(subject, exchange, operation === 'login' ? CHECKED_LOGINS : CHECKED_BEFORE);
  const measurements: Measurement[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, { subject, exchange }] of measured.entries()) {
      const first = (round * measured.length + index) * REQUESTS_PER_RUN;
      const measurement = await measureOnce(bench, { operation, round, subject, exchange, first });
      measurements.push(measurement);
      console.log(
        `${operation}, round ${String(round)}, ${subject.name}: ${measurement.perSecond.toFixed(0)}/s, ` +
          `${String(measurement.serviceMicros)} µs`,
      );
    }
  }
  for (const { subject, exchange } of measured) await requireRight(subject, exchange, CHECKED_AFTER);
  return measurements;
}

interface Run {
  readonly operation: Operation;
  readonly round: number;
  readonly subject: Subject;
  readonly exchange: Exchange;
  readonly first: number;
}

async function measureOnce(bench: BenchServer, run: Run): Promise<Measurement> {
  const { operation, round, subject, exchange, first } = run;
  const load = { port: subject.port, connections: CONNECTIONS, exchange };
  const warmUp = await generateLoad({ ...load, seconds: warmUpSeconds, first });
  const pid = running.get(subject.port)?.pid ?? 0;
  const before = { service: processorMs(pid), postgres: postgresProcessorMs(bench.postmaster) };
  const result = await generateLoad({ ...load, seconds, first: first + warmUp.requests });
  const micros = (since: number, now: number): number => Math.round(((now - since) * 1_000) / result.requests);
  if (result.wrong > 0)
    throw new Error(`${subject.name} gave ${String(result.wrong)} wrong answers to ${operation}: ${result.example}`);
  return {
    operation,
    round,
    subject: subject.name,
    perSecond: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    serviceMicros: micros(before.service, processorMs(pid)),
    postgresMicros: micros(before.postgres, postgresProcessorMs(bench.postmaster)),
  };
}

async function requireRight({ name, port }: Subject, exchange: Exchange, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const wrong = await askOnce(port, exchange, i);
    if (wrong !== null) throw new Error(`${name} answers request ${String(i)} wrongly: ${wrong}`);
  }
}

/** After all status changes, of the service and of the reference. */
async function requireExactCounts(url: string): Promise<void> {
  const [row] = await runSql<{ wrong: number }>(
    url,
    `select count(*)::integer as wrong from groups g join (
       select group_id, count(*) filter (where status = 'ACCEPTED') as accepted,
         count(*) filter (where status = 'DECLINED') as declined from member group by 1
     ) m on m.group_id = g.id
     where g.accepted_count <> m.accepted or g.declined_count <> m.declined
       or g.revision <> 20 + (select count(*) from group_change c where c.group_id = g.id)`,
  );
  if (row?.wrong !== 0) throw new Error(`${String(row?.wrong)} groups have wrong counts or an incomplete history`);
}

async function postgresVersion(url: string): Promise<string> {
  const [row] = await runSql<{ server_version: string }>(url, 'show server_version');
  return row?.server_version ?? '';
}
