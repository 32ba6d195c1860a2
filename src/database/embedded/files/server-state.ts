import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { readFileIfExists, writePrivateFile } from '../system/files.js';
import type { ServerPaths } from './server-paths.js';

/** State of a running server, for commands beside the service. `ownerPid` is the process that stops it. */
const STATE = z.object({ ownerPid: z.number(), port: z.number() });

export type ServerState = Readonly<z.infer<typeof STATE>>;

export async function writeState(paths: ServerPaths, state: ServerState): Promise<void> {
  await writePrivateFile(paths.stateFile, JSON.stringify(state), paths.osUser);
}

export async function readState(paths: ServerPaths): Promise<ServerState | null> {
  const text = await readFileIfExists(paths.stateFile);
  return text === null ? null : STATE.parse(JSON.parse(text));
}

export async function removeState(paths: ServerPaths): Promise<void> {
  await rm(paths.stateFile, { force: true });
}
