import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '../../../src/async/poll.js';
import {
  findRunningServer,
  startEmbeddedServer,
  type EmbeddedServer,
  type EmbeddedServerOptions,
} from '../../../src/database/embedded/embedded-server.js';
import { findRunningPostmaster } from '../../../src/database/embedded/files/pid-file.js';
import { createTemporaryFolder, removeFolder } from '../../support/database/temporary-folder.js';
import { withClient } from '../../support/database/test-database.js';

const OWNER = fileURLToPath(new URL('owner.mjs', import.meta.url));
const WAIT_MS = 10_000;

describe('startEmbeddedServer', () => {
  const started: EmbeddedServer[] = [];
  const owners: ChildProcess[] = [];
  let logged: string[] = [];
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await createTemporaryFolder();
  });

  afterAll(() => removeFolder(dataDir));

  afterEach(async () => {
    await Promise.all(owners.splice(0).map(killed));
    await Promise.all(started.splice(0).map((server) => server.stop()));
    logged = [];
  });

  async function start(options: Partial<EmbeddedServerOptions> = {}): Promise<EmbeddedServer> {
    const server = await startEmbeddedServer({ dataDir, durable: false, log: { info: note, warn: note }, ...options });
    started.push(server);
    return server;
  }

  function note(message: string): void {
    logged.push(message);
  }

  /** A process of its own that owns the server; in a group of its own, so that the whole group can be signalled. */
  async function startOwner(): Promise<ChildProcess & { pid: number }> {
    const owner = spawn(process.execPath, [OWNER, dataDir], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    owners.push(owner);
    await once(owner.stdout, 'data');
    return owner as typeof owner & { pid: number };
  }

  it('creates a database in UTF-8 with the collation C, whatever the locale', async () => {
    const { url } = await start();
    const [database] = await query(
      url,
      `
      select pg_encoding_to_char(encoding) as encoding, datcollate, datctype from pg_database
      where datname = current_database()`,
    );
    expect(database).toEqual({ encoding: 'UTF8', datcollate: 'C', datctype: 'C' });
    expect(new URL(url).pathname).toBe('/convene');
  });

  it('keeps the data between starts on different ports', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await start();
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('turns fsync on when it is durable, and off otherwise', async () => {
    const durable = await start({ durable: true });
    expect(await query(durable.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await durable.stop();

    const volatile = await start({ durable: false });
    expect(await query(volatile.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  });

  it('listens on the loopback interface only, with a password that only its OS user can read', async () => {
    const { url } = await start();
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);

    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'postgres', 'superuser-password'))).mode & 0o077).toBe(0);
    expect((await stat(join(dataDir, 'postgres', 'server.json'))).mode & 0o077).toBe(0);
  });

  it('rejects a second service on the same folder and names the process of the first', async () => {
    await start();
    await expect(start()).rejects.toThrow(`in use by another Convene (process ${process.pid})`);
  });

  it('starts for exactly one of two services that start concurrently', async () => {
    const outcomes = await Promise.allSettled([start(), start()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('starts while another user has opened the abstract socket of its name', async () => {
    const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
    const socket = createServer().listen(`\0convene-${name}`);
    await once(socket, 'listening');
    const { url } = await start().finally(() => socket.close());
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is found by a command while the service runs', async () => {
    expect(await findRunningServer(dataDir)).toBeNull();
    const server = await start();
    expect(await findRunningServer(dataDir)).toEqual({ url: server.url, ownerPid: process.pid });
    await server.stop();
    expect(await findRunningServer(dataDir)).toBeNull();
    expect(await findRunningServer(join(dataDir, 'missing'))).toBeNull();
  });

  it('stops the orphaned server of a killed service, and starts another', async () => {
    const owner = await startOwner();
    const orphan = await postmaster();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await postmaster()).toBe(orphan);
    expect(await findRunningServer(dataDir)).toBeNull();

    const { url } = await start();
    expect(logged).toEqual([expect.stringContaining(`(process ${orphan}) of a service that was killed`)]);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts when another program has the process id of the PID file', async () => {
    await crash(await startOwner());
    await renumber(process.pid);

    const { url } = await start();
    expect(logged).toEqual([expect.stringContaining(`(process ${process.pid}) did not stop cleanly`)]);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('recovers when server and service were killed together', async () => {
    await crash(await startOwner());

    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('keeps running after SIGINT to the process group, until the service stops it', async () => {
    const owner = await startOwner();
    process.kill(-owner.pid, 'SIGINT');
    expect(await once(owner, 'exit')).toEqual([0, null]);

    const { url } = await start();
    expect(await query(url, "select to_regclass('finished_after_ctrl_c') is not null as finished")).toEqual([
      { finished: true },
    ]);
    expect(await readFile(join(dataDir, 'postgres', 'server.log.previous'), 'utf8')).toContain(
      'database system is shut down',
    );
  });

  it('stops when the service exits without stopping it', async () => {
    const owner = await startOwner();
    owner.kill('SIGTERM');
    await once(owner, 'exit');
    expect(await pollUntil(async () => (await postmaster()) === null, WAIT_MS)).toBe(true);
  });

  it('starts again on its port when it ends unexpectedly, and stops afterwards', async () => {
    const server = await start();
    const first = await postmaster();
    process.kill(first ?? 0, 'SIGKILL');
    const isAnotherProcess = async () => ![null, first].includes(await postmaster());
    expect(await pollUntil(isAnotherProcess, WAIT_MS)).toBe(true);
    expect(await pollUntil(async () => logged.some((line) => line.includes('runs again')), WAIT_MS)).toBe(true);
    expect(logged[0]).toContain('has ended unexpectedly');
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(await postmaster()).toBeNull();
  });

  it('throws with the log of the server when it does not start, and releases the folder', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    if (address === null || typeof address === 'string') throw new Error('no port');

    await expect(start({ port: address.port })).rejects.toThrow(/did not start.*Address already in use.*DATABASE_URL/s);
    taken.close();
    await start({ port: address.port });
  });

  it('throws when the password file of the database is missing', async () => {
    const other = await createTemporaryFolder();
    const server = await start({ dataDir: other });
    await server.stop();
    await rm(join(other, 'postgres', 'superuser-password'));
    await expect(start({ dataDir: other })).rejects.toThrow('superuser-password is missing');
    await removeFolder(other);
  });

  function postmaster(): Promise<number | null> {
    return findRunningPostmaster(join(dataDir, 'postgres', 'cluster'));
  }

  /** The owner is killed first, because it would start the server again. */
  async function crash(owner: ChildProcess): Promise<void> {
    const server = await postmaster();
    await killed(owner);
    process.kill(server ?? 0, 'SIGKILL');
    await pollUntil(async () => (await postmaster()) === null, WAIT_MS);
  }

  async function renumber(pid: number): Promise<void> {
    const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [String(pid), ...lines.slice(1)].join('\n'));
  }
});

async function killed(owner: ChildProcess): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  owner.kill('SIGKILL');
  await once(owner, 'exit');
}

function query(url: string, sql: string): Promise<unknown[]> {
  return withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
}
