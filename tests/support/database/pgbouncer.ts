import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../src/database/embedded/system/free-port.js';
import { ensurePostgresUser, isRoot } from '../../../src/database/embedded/system/os-user.js';
import { programPath } from '../processes/installed-programs.js';
import { waitUntil } from '../wait-until.js';
import { createTemporaryFolder, removeFolder } from './temporary-folder.js';
import { withClient } from './test-database.js';

/** A running PgBouncer with its default settings, apart from the mode. */
export interface PgBouncer {
  /** The URL of the database through the pooler. */
  readonly url: string;
  remove(): Promise<void>;
}

/** @param databaseUrl names host, port, user, password and database */
export async function startPgBouncer(databaseUrl: string, mode: 'session' | 'transaction'): Promise<PgBouncer> {
  const folder = await createTemporaryFolder();
  const target = new URL(databaseUrl);
  const [port, file] = [await findFreePort(), join(folder, 'pgbouncer.ini')];
  await writeFile(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
`,
  );
  const user = isRoot() ? await ensurePostgresUser() : null;
  if (user !== null) await chown(file, user.uid, user.gid);
  const pooler = spawn(programPath('pgbouncer'), [file], { ...user, cwd: folder, stdio: 'ignore' });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.search = '';
  await waitUntil('the pooler accepts connections', () =>
    withClient(url.href, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    ),
  );
  return {
    url: url.href,
    remove: async () => {
      const exited = once(pooler, 'exit');
      pooler.kill('SIGTERM');
      await exited;
      await removeFolder(folder);
    },
  };
}
