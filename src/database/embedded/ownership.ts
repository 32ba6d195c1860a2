import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isErrno } from './files.js';

/** The right to run the server of one data folder; at most one process on the machine has it. */
export interface Ownership {
  release(): Promise<void>;
}

/**
 * The name of the local socket that the owner of a data folder listens on.
 *
 * A socket instead of a lock file, because the kernel closes it with its process, however that ends: no lock is ever
 * left behind, and no process number can be mistaken for another's. On Linux it is not even a file (the leading NUL).
 */
export function ownershipSocket(dataFolder: string): string {
  const name = `convene-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/** Takes the ownership, or gives null when another process has it. */
export async function takeOwnership(socket: string): Promise<Ownership | null> {
  const first = await listen(socket);
  if (first) return first;
  if (await isOwned(socket)) return null;
  // Where sockets are files, one outlives a process that was killed.
  if (!socket.startsWith('\0')) await rm(socket, { force: true });
  return listen(socket);
}

export function isOwned(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => {
      resolve(false);
    });
  });
}

async function listen(socket: string): Promise<Ownership | null> {
  const server = createServer((connection) => connection.destroy());
  try {
    // Exclusive: in a worker of a cluster the listening would otherwise be left to the primary process.
    await listening(server, { path: socket, exclusive: true });
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) return null;
    throw error;
  }
  server.unref();
  return { release: () => closed(server) };
}

function listening(server: Server, options: { path: string; exclusive: boolean }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, resolve);
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
