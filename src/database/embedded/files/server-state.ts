import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { readFileIfExists, writePrivateFile } from '../system/files.js';
import type { ServerPaths } from './server-paths.js';

/** What another command needs to know of a running server; its owner is the process that will stop it. */
const STATE = z.object({ ownerPid: z.number(), port: z.number() });

export type ServerState = Readonly<z.infer<typeof STATE>>;

export async function writeState(home: ServerPaths, state: ServerState): Promise<void> {
  await writePrivateFile(home.stateFile, JSON.stringify(state), home.account);
}

export async function readState(home: ServerPaths): Promise<ServerState | null> {
  const text = await readFileIfExists(home.stateFile);
  return text === null ? null : STATE.parse(JSON.parse(text));
}

export async function removeState(home: ServerPaths): Promise<void> {
  await rm(home.stateFile, { force: true });
}
