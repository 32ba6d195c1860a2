/**
 * Runs the service of a measurement, as in production, and answers the commands of its parent process.
 *
 * The jobs are stopped, because follow-ups of earlier requests would run during the measured ones.
 */
import { Session, type HeapProfiler } from 'node:inspector/promises';
import pg from 'pg';
import { buildApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/index.js';
import { FAKE_HASHER } from '../support/service/test-core.js';

/** Every allocated interval of this many bytes gives one sample on average. */
const SAMPLING_INTERVAL = 2_048;

const session = new Session();
session.connect();
let statements: string[] = [];

const app = await buildApp(loadConfig(), { hasher: FAKE_HASHER });
await app.jobs.stop();
recordStatements();
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  url: () => app.listen(),
  startAllocations: () =>
    session.post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLING_INTERVAL,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    }),
  allocatedBytes: async () => bytesOf((await session.post('HeapProfiler.stopSampling')).profile.head),
  statements: async () => {
    const sent = statements;
    statements = [];
    return sent;
  },
  stop: () => app.close(),
};
process.on('message', (command: string) => {
  void commands[command]?.().then((answer) => process.send?.({ answer: answer ?? null }));
});
// The parent process ended without a stop.
process.on('disconnect', () => process.exit());
process.send?.({ answer: 'ready' });

function bytesOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + bytesOf(child), selfSize);
}

function recordStatements(): void {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    statements.push(nameOf(args[0]));
    return Reflect.apply(query, this, args);
  } as typeof query;
}

/** The name of a prepared statement, otherwise its text. */
function nameOf(sent: unknown): string {
  if (typeof sent === 'string') return sent;
  const { name, text } = sent as pg.QueryConfig;
  return name ?? text;
}
