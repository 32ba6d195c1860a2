import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { createTemporaryFolder, removeFolder } from '../database/temporary-folder.js';

/** FerretDB in a process of its own: a server of MongoDB's wire protocol on SQLite. */
export interface FerretDbServer {
  /** Ends with a slash. Stays the same after `restart`. */
  readonly uri: string;
  /** Ends the process with SIGKILL. The data remains. */
  kill(): Promise<void>;
  /** Starts the process again on the same port and data. */
  restart(): Promise<void>;
  /** Ends the process, if it runs, and deletes the data. */
  stop(): Promise<void>;
}

/** @param program the path of the program that `scripts/build-ferretdb.mjs` has built */
export async function startFerretDb(program: string): Promise<FerretDbServer> {
  const folder = await createTemporaryFolder();
  let running = await launch(program, folder, '127.0.0.1:0');
  const { uri } = running;
  const kill = async (): Promise<void> => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return;
    const closed = once(running.child, 'close');
    running.child.kill('SIGKILL');
    await closed;
  };
  return {
    uri,
    kill,
    async restart() {
      running = await launch(program, folder, new URL(uri).host);
    },
    async stop() {
      await kill();
      await removeFolder(folder);
    },
  };
}

async function launch(program: string, folder: string, address: string): Promise<{ child: ChildProcess; uri: string }> {
  // The process exits when its standard input ends, which happens also when this process is killed.
  const child = spawn(program, ['-data', folder, '-listen', address], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const uri of createInterface(child.stdout)) return { child, uri };
  throw new Error('FerretDB did not start; its message is in the output');
}
