/** Shared by the benchmarks: a service in this process, and measurements of it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { buildApp, type App } from '../src/app.js';
import { loadConfig } from '../src/config/index.js';
import type { Overrides } from '../src/open-core.js';

/**
 * Creates a temporary folder that other users can traverse. Started by root, PostgreSQL runs as another user, whose
 * files would otherwise be elsewhere and stay there.
 */
export async function createBenchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-bench-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Runs `work` with a service on a temporary database, without rate limits, and stops it afterwards. */
export async function withService(
  work: (service: App, base: string) => Promise<void>,
  overrides: Overrides = {},
): Promise<void> {
  const folder = await createBenchFolder();
  const settings = loadConfig({ DATA_DIR: folder, PORT: '0', NODE_ENV: 'test', RATE_LIMITS: 'off' }, folder);
  const app = await buildApp(settings, { log: pino({ level: 'silent' }), ...overrides });
  try {
    await work(app, await app.listen());
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns milliseconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param share 0.5 is the median */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Counts the SQL statements of `work`, begin and commit included, and notifications excluded. */
export async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const original = pg.Client.prototype.query;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    if (!(typeof args[0] === 'string' && args[0].includes('pg_notify'))) count += 1;
    return Reflect.apply(original, this, args);
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return count;
}

/** @returns the body of a successful response @throws Error when the request failed */
export async function goodAnswer(answer: Response): Promise<string> {
  const text = await answer.text();
  if (!answer.ok || text.includes('"errors":')) throw new Error(`${String(answer.status)} ${text.slice(0, 300)}`);
  return text;
}
