import { rm } from 'node:fs/promises';
import { readIfThere, writePrivately } from './files.js';
import type { ServerHome } from './server-home.js';

/** What another command needs to know of a running server. */
export interface ServerState {
  /** The process that started the server and will stop it. */
  readonly ownerPid: number;
  readonly port: number;
}

export async function writeState(home: ServerHome, state: ServerState): Promise<void> {
  await writePrivately(home.stateFile, JSON.stringify(state), home.account);
}

export async function readState(home: ServerHome): Promise<ServerState | null> {
  const text = await readIfThere(home.stateFile);
  return text === null ? null : (JSON.parse(text) as ServerState);
}

export async function removeState(home: ServerHome): Promise<void> {
  await rm(home.stateFile, { force: true });
}
