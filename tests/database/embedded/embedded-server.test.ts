import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findRunningServer,
  startEmbeddedServer,
  type EmbeddedServer,
  type EmbeddedServerOptions,
} from '../../../src/database/embedded/embedded-server.js';
import { findRunningPostmaster } from '../../../src/database/embedded/files/pid-file.js';
import { pollUntil } from '../../../src/async/poll.js';
import { createTemporaryFolder, removeFolder } from '../../support/database/temporary-folder.js';
import { withClient } from '../../support/database/test-database.js';

const OWNER = fileURLToPath(new URL('owner.mjs', import.meta.url));
const WAIT_MS = 10_000;

describe('the embedded server', () => {
  const started: EmbeddedServer[] = [];
  const owners: ChildProcess[] = [];
  let said: string[] = [];
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await createTemporaryFolder();
  });

  afterAll(() => removeFolder(dataDir));

  afterEach(async () => {
    await Promise.all(owners.splice(0).map(killed));
    await Promise.all(started.splice(0).map((server) => server.stop()));
    said = [];
  });

  async function start(options: Partial<EmbeddedServerOptions> = {}): Promise<EmbeddedServer> {
    const server = await startEmbeddedServer({ dataDir, durable: false, log: { info: note, warn: note }, ...options });
    started.push(server);
    return server;
  }

  function note(message: string): void {
    said.push(message);
  }

  /** A process of its own that owns the server; in a group of its own, so that the whole group can be signalled. */
  async function startOwner(): Promise<ChildProcess & { pid: number }> {
    const owner = spawn(process.execPath, [OWNER, dataDir], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    owners.push(owner);
    await once(owner.stdout, 'data');
    return owner as typeof owner & { pid: number };
  }

  it('makes a database in UTF-8 that no locale of the machine has a say in', async () => {
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

  it('keeps what was written from one start to the next, whatever the port', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await start();
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('waits for the disk unless told that it need not', async () => {
    const durable = await start({ durable: true });
    expect(await query(durable.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await durable.stop();

    const forgetful = await start({ durable: false });
    expect(await query(forgetful.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  });

  it('listens on the loopback interface only, and asks for a password that only its account can read', async () => {
    const { url } = await start();
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);

    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'postgres', 'superuser-password'))).mode & 0o077).toBe(0);
    expect((await stat(join(dataDir, 'postgres', 'server.json'))).mode & 0o077).toBe(0);
  });

  it('refuses a second service on the same folder, and names the first', async () => {
    await start();
    await expect(start()).rejects.toThrow(`in use by another Convene (process ${process.pid})`);
  });

  it('lets exactly one of two services that start at once have the folder', async () => {
    const outcomes = await Promise.allSettled([start(), start()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('starts whatever sockets other users of the machine have opened', async () => {
    const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
    const socket = createServer().listen(`\0convene-${name}`);
    await once(socket, 'listening');
    const { url } = await start().finally(() => socket.close());
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is found by a command that works beside the service, while that service runs', async () => {
    expect(await findRunningServer(dataDir)).toBeNull();
    const server = await start();
    expect(await findRunningServer(dataDir)).toEqual({ url: server.url, ownerPid: process.pid });
    await server.stop();
    expect(await findRunningServer(dataDir)).toBeNull();
    expect(await findRunningServer(join(dataDir, 'missing'))).toBeNull();
  });

  it('stops the server that a killed service left behind, and starts anew', async () => {
    const owner = await startOwner();
    const orphan = await postmaster();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await postmaster()).toBe(orphan);
    expect(await findRunningServer(dataDir)).toBeNull();

    const { url } = await start();
    expect(said).toEqual([expect.stringContaining(`(process ${orphan}) of a service that was killed`)]);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is not confused by a process number in use by another program', async () => {
    await crash(await startOwner());
    await renumber(process.pid);

    const { url } = await start();
    expect(said).toEqual([expect.stringContaining(`${process.pid} is no longer its own`)]);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('recovers by itself after it crashed together with its service', async () => {
    await crash(await startOwner());

    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('leaves a Ctrl-C to the service, which can still finish its work', async () => {
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

  it('stops after a service that exits without having stopped it', async () => {
    const owner = await startOwner();
    owner.kill('SIGTERM');
    await once(owner, 'exit');
    expect(await pollUntil(async () => (await postmaster()) === null, WAIT_MS)).toBe(true);
  });

  it('reports its own unexpected end', async () => {
    await start();
    process.kill((await postmaster()) ?? 0, 'SIGQUIT');
    expect(await pollUntil(() => Promise.resolve(said.length > 0), WAIT_MS)).toBe(true);
    expect(said).toEqual([expect.stringContaining('ended unexpectedly')]);
  });

  it('says with its own words why it does not start, and leaves the folder free', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    if (address === null || typeof address === 'string') throw new Error('no port');

    await expect(start({ port: address.port })).rejects.toThrow(/did not start.*Address already in use.*DATABASE_URL/s);
    taken.close();
    await start({ port: address.port });
  });

  it('does not touch a database whose password is lost', async () => {
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

  async function crash(owner: ChildProcess): Promise<void> {
    process.kill((await postmaster()) ?? 0, 'SIGKILL');
    await killed(owner);
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
