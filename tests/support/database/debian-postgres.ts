import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../src/database/embedded/system/free-port.js';
import { ensurePostgresUser, isRoot } from '../../../src/database/embedded/system/os-user.js';
import { programPath, type Program } from '../processes/installed-programs.js';
import { waitUntil } from '../wait-until.js';
import { createTemporaryFolder, removeFolder } from './temporary-folder.js';
import { createCertificates, type Certificates } from './test-certificates.js';
import { withClient } from './test-database.js';

/** A server of the Debian package of PostgreSQL, which, unlike the embedded one, has TLS and can be replicated. */
export interface DebianPostgres {
  /** Host, user, password and the database `postgres`, without TLS. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly certificates: Certificates;
  /** Starts a hot standby of this server, which `remove()` of this server stops too. */
  startStandby(): Promise<DebianPostgres>;
  start(): Promise<void>;
  /** Ends the server's processes. `SIGINT` ends sessions, `SIGQUIT` crashes. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

export interface DebianPostgresOptions {
  /** Rules of pg_hba.conf; by default, passwords from anywhere. */
  readonly hba?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly encoding?: string;
}

const PASSWORD = 'secret';
const HBA = ['host all all all scram-sha-256', 'host replication all all scram-sha-256'];

export async function startDebianPostgres({
  hba = HBA,
  settings = {},
  encoding = 'UTF8',
}: DebianPostgresOptions = {}): Promise<DebianPostgres> {
  const folder = await createTemporaryFolder();
  const certificates = await createCertificates(join(folder, 'certificates'));
  const user = isRoot() ? await ensurePostgresUser() : {};
  const run = (program: Program, args: readonly string[]): Promise<unknown> =>
    promisify(execFile)(programPath(program), args, { ...user, cwd: folder, env: { PGPASSWORD: PASSWORD } });
  await handOver(folder, user);
  await writeFile(join(folder, 'password'), PASSWORD, { mode: 0o644 });
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`];
  await run('initdb', [...init, '-E', encoding, '--locale=C', '--no-sync', '--no-instructions']);
  await writeFile(join(data, 'pg_hba.conf'), `${['local all all trust', ...hba].join('\n')}\n`);
  const standbys: DebianPostgres[] = [];

  async function server(dataFolder: string): Promise<DebianPostgres> {
    const port = await findFreePort();
    const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
    const all = { ...settings, ...certificates.serverSettings, port: String(port), unix_socket_directories: folder };
    let postmaster: ChildProcess | null = null;
    const start = async (): Promise<void> => {
      const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const args = ['-D', dataFolder, '-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', ...words];
      postmaster = spawn(programPath('postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
      await waitUntil('the server accepts connections', () => isReachable(folder, port));
    };
    const stop = async (signal: NodeJS.Signals = 'SIGINT'): Promise<void> => {
      if (postmaster === null || postmaster.exitCode !== null) return;
      const exited = once(postmaster, 'exit');
      postmaster.kill(signal);
      await exited;
    };
    await start();
    return {
      url,
      port,
      folder,
      certificates,
      start,
      stop,
      startStandby: async () => {
        const copy = join(folder, `standby${standbys.length}`);
        await run('pg_basebackup', ['-D', copy, '-R', '-X', 'stream', '-c', 'fast', '-d', url]);
        const standby = await server(copy);
        standbys.push(standby);
        return standby;
      },
      remove: async () => {
        for (const standby of standbys) await standby.stop();
        await stop();
        await removeFolder(folder);
      },
    };
  }
  return server(data);
}

/** Through the socket, whose rule is always the same. */
async function isReachable(folder: string, port: number): Promise<boolean> {
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${port}`;
  return withClient(url, () => Promise.resolve(true)).catch(() => false);
}

async function handOver(folder: string, { uid, gid }: { uid?: number; gid?: number }): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await mkdir(folder, { recursive: true });
  await chown(folder, uid, gid);
}
