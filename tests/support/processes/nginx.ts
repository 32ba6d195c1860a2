import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../wait-until.js';
import { programPath } from './installed-programs.js';
import { startProcess } from './test-process.js';

export interface Nginx {
  stop(): Promise<void>;
}

const TEMPORARY_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/**
 * Starts nginx as the current user, in a folder of its own and in one process.
 *
 * @param server a `server` block that listens on `port` of 127.0.0.1
 */
export async function startNginx(server: string, port: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-nginx-'));
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configurationIn(folder, server));
  const nginx = startProcess(['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {}, programPath('nginx'));
  await waitUntil(`nginx listens: ${nginx.output()}`, () => isListening(port));
  return {
    async stop() {
      nginx.send('SIGTERM');
      await nginx.waitForExit();
      await rm(folder, { recursive: true });
    },
  };
}

function configurationIn(folder: string, server: string): string {
  const temporary = TEMPORARY_PATHS.map((name) => `  ${name}_temp_path "${folder}/${name}";`).join('\n');
  return `daemon off;
master_process off;
pid "${folder}/nginx.pid";
events {}
http {
  access_log off;
${temporary}
${server}
}
`;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
