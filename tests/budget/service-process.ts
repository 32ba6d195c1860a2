import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isBackgroundStatement } from '../support/database/background-statements.js';
import { RUN_TYPESCRIPT } from '../support/processes/test-process.js';

/** A service in a process of its own, whose work is measured there. */
export interface ServiceProcess {
  readonly url: string;
  /** @returns bytes that the service allocates on its heap while `work` runs, estimated by sampling */
  allocatedBytes(work: () => Promise<unknown>): Promise<number>;
  /** @returns names of the statements that the service sends while `work` runs; the text of those without a name */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('measured-service.ts', import.meta.url));

export async function startServiceProcess(databaseUrl: string, dataDir: string): Promise<ServiceProcess> {
  const child = fork(PROGRAM, {
    execArgv: RUN_TYPESCRIPT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settingsOf(databaseUrl, dataDir) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await nextAnswer(child);
  return {
    url: (await ask(child, 'url')) as string,
    allocatedBytes: async (work) => {
      await ask(child, 'startAllocations');
      await work();
      return (await ask(child, 'allocatedBytes')) as number;
    },
    statementsOf: async (work) => {
      await ask(child, 'statements');
      await work();
      return ((await ask(child, 'statements')) as string[]).filter(isOfRequest);
    },
    stop: async () => {
      await ask(child, 'stop');
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** Production, without rate limits. */
function settingsOf(databaseUrl: string, dataDir: string): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'http://localhost:4000',
    SERVER_SECRET: Buffer.alloc(32, 'budget').toString('base64'),
    RATE_LIMITS: 'off',
  };
}

async function ask(child: ChildProcess, command: string): Promise<unknown> {
  const answered = nextAnswer(child);
  child.send(command);
  return answered;
}

async function nextAnswer(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(
    () => {
      throw new Error('the measured service ended');
    },
    () => undefined,
  );
  const message = once(child, 'message').then(([sent]) => (sent as { answer: unknown }).answer);
  try {
    return await Promise.race([message, exit]);
  } finally {
    ended.abort();
  }
}

/** Notifications are sent in the background. */
function isOfRequest(statement: string): boolean {
  return !isBackgroundStatement(statement) && !statement.includes('pg_notify');
}
