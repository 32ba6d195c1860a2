import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { readIfThere, writePrivately } from './files.js';
import type { ServerHome } from './server-home.js';

/** What another command needs to know of a running server; its owner is the process that will stop it. */
const STATE = z.object({ ownerPid: z.number(), port: z.number() });

export type ServerState = Readonly<z.infer<typeof STATE>>;

export async function writeState(home: ServerHome, state: ServerState): Promise<void> {
  await writePrivately(home.stateFile, JSON.stringify(state), home.account);
}

export async function readState(home: ServerHome): Promise<ServerState | null> {
  const text = await readIfThere(home.stateFile);
  return text === null ? null : STATE.parse(JSON.parse(text));
}

export async function removeState(home: ServerHome): Promise<void> {
  await rm(home.stateFile, { force: true });
}
