import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../config/index.js';

/**
 * Requires that the port can be listened on, and throws the error of Node otherwise.
 *
 * Reason: Node 24.21 ends the primary with a TypeError when several workers ask for a port in use concurrently.
 */
export async function requireFreePort({ PORT, HOST }: Settings): Promise<void> {
  const server = createServer().listen({ port: PORT, host: HOST });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
