/**
 * Compares the service with the reference and with programs that users would take instead.
 *
 *   npm run bench                              everything, about 16 minutes
 *   npm run bench -- --quick                   the service and the reference, about 4 minutes
 *   npm run bench -- --only status,hot-group   some operations
 *   npm run bench -- --programs reference,parse-server   some programs, which --quick allows too
 *   npm run bench -- --store                   also writes the results, and their page and plot
 *   npm run bench -- --render                  only writes page and plot of the stored results
 *
 * Every program runs as one process in production mode, on one PostgreSQL server. All subjects of an operation are
 * measured in turn in each round, and compared with the reference of the same round. Answers are checked before, during
 * and after, and the rows afterwards. The programs of the measurements, their databases and their files are removed at
 * the end, also after an error or an interruption.
 */
import { parseArgs } from 'node:util';
import { BenchError } from './bench-error.js';
import { Comparison } from './comparison.js';
import { startBenchServer, type BenchServer } from './database.js';
import { OPERATIONS } from './exchanges/exchange.js';
import { FULL, QUICK } from './measuring/schedule.js';
import { printResults } from './report/print-results.js';
import type { MissingSubject, Results } from './report/results.js';
import { loadResults, renderPage, storeResults } from './report/stored-results.js';
import { findPorts } from './subjects/find-ports.js';
import { firstLineOf } from './subjects/first-line-of.js';
import { preparePeers } from './subjects/peer-subjects.js';
import { RunningPrograms } from './subjects/running-programs.js';
import { prepareService, SERVICE_SETTINGS } from './subjects/service-subjects.js';
import type { Subject } from './subjects/subject.js';

interface Options {
  readonly isQuick: boolean;
  /** Null: all. */
  readonly operations: readonly string[] | null;
  readonly programs: readonly string[] | null;
  readonly stores: boolean;
  readonly renders: boolean;
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interruption.abort(new BenchError(`Interrupted by ${signal}`));
  });

try {
  await run(readOptions());
} catch (error) {
  console.error(error instanceof BenchError ? `The benchmark ended: ${error.message}` : error);
  process.exitCode = 1;
}

function readOptions(): Options {
  const { values } = parseOptions();
  const list = (text: string | undefined): readonly string[] | null => text?.split(',') ?? null;
  const options: Options = {
    isQuick: values.quick === true,
    operations: list(values.only),
    programs: list(values.programs),
    stores: values.store === true,
    renders: values.render === true,
  };
  const unknown = options.operations?.find((name) => !OPERATIONS.some((operation) => operation === name));
  if (unknown !== undefined) throw new BenchError(`--only allows ${OPERATIONS.join(', ')}`);
  if (options.stores && (options.operations ?? options.programs) !== null)
    throw new BenchError('--store needs all operations and programs');
  return options;
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        quick: { type: 'boolean' },
        only: { type: 'string' },
        programs: { type: 'string' },
        store: { type: 'boolean' },
        render: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new BenchError(firstLineOf(error), { cause: error });
  }
}

async function run(options: Options): Promise<void> {
  if (options.renders) {
    await renderPage(await loadResults());
    return;
  }
  const results = await measure(options);
  if (options.stores) await storeResults(results);
  printResults(results);
}

async function measure(options: Options): Promise<Results> {
  const server = await startBenchServer();
  const programs = new RunningPrograms(interruption.signal);
  try {
    return await compare(server, programs, options);
  } catch (error) {
    if (interruption.signal.aborted) throw interruption.signal.reason;
    throw error;
  } finally {
    await programs.stopAll();
    await server.stop();
  }
}

async function compare(server: BenchServer, programs: RunningPrograms, options: Options): Promise<Results> {
  const durations = options.isQuick ? QUICK : FULL;
  console.log(
    `Settings of the service: ${settingsText()}\nPreparing the databases of the service and of the reference.`,
  );
  const prepared = await prepareSubjects(server, options);
  const chosen = prepared.subjects.filter(({ name }) => options.programs?.includes(name) ?? true);
  const missing = [...prepared.missing, ...(await programs.startAll(chosen, durations.starts))];
  const subjects = chosen.filter(({ port }) => programs.isRunning(port));
  const operations = OPERATIONS.filter((operation) => options.operations?.includes(operation) ?? true);
  const { signal } = interruption;
  return new Comparison({ server, programs, subjects, operations, durations, signal }, missing).run();
}

function settingsText(): string {
  return Object.entries(SERVICE_SETTINGS)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

async function prepareSubjects(
  server: BenchServer,
  { isQuick, programs }: Options,
): Promise<{ readonly subjects: readonly Subject[]; readonly missing: readonly MissingSubject[] }> {
  const ports = await findPorts();
  const own = await prepareService(server, ports);
  interruption.signal.throwIfAborted();
  const peers = isQuick && programs === null ? { subjects: [], missing: [] } : await preparePeers(server, ports);
  return { subjects: [...own, ...peers.subjects], missing: peers.missing };
}
