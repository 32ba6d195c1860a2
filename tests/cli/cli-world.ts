import { rm } from 'node:fs/promises';
import { runCli } from '../../src/cli/run-cli.js';
import { loadConfig } from '../../src/config/index.js';
import { createTemporaryFolder } from '../support/database/temporary-folder.js';
import { createEmptyDatabase, createTestDatabase } from '../support/database/test-database.js';

export interface CommandResult {
  readonly code: number;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly err: string;
}

/** A database and a data folder that commands find by their settings. */
export interface CliWorld {
  readonly databaseUrl: string;
  /** What a service needs to be the one that the commands work beside. */
  readonly shared: Readonly<Record<'DATABASE_URL' | 'SERVER_SECRET', string>>;
  readonly folder: string;
  /** Runs a command in this process, as `convene <args>` would. */
  convene(...args: readonly string[]): Promise<CommandResult>;
  /** The same with other settings. */
  conveneWith(settings: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult>;
  close(): Promise<void>;
}

export interface CliWorldOptions {
  /** A database without any tables. */
  readonly empty?: boolean;
}

export async function openCliWorld({ empty = false }: CliWorldOptions = {}): Promise<CliWorld> {
  const [database, folder] = await Promise.all([
    empty ? createEmptyDatabase() : createTestDatabase(),
    createTemporaryFolder(),
  ]);
  const shared = { DATABASE_URL: database.url, SERVER_SECRET: Buffer.alloc(32, 7).toString('base64') };
  const usual = { ...shared, NODE_ENV: 'test', DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: '1' };
  const conveneWith: CliWorld['conveneWith'] = (settings, ...args) =>
    runCaptured(args, () => loadConfig({ ...usual, ...settings }, folder));
  return {
    databaseUrl: database.url,
    shared,
    folder,
    conveneWith,
    convene: (...args) => conveneWith({}, ...args),
    async close() {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function runCaptured(
  args: readonly string[],
  loadSettings: () => ReturnType<typeof loadConfig>,
  stop = new AbortController().signal,
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    print: (text: string) => {
      out.push(text);
    },
    say: (text: string) => {
      err.push(text);
    },
    paint: (_: string, text: string) => text,
  };
  const code = await runCli(args, { terminal, loadSettings, stop });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
