import type { FastifyInstance } from 'fastify';

/** Enough for any honest request, and well within what supervisors grant a stop. */
const GRACE_MS = 3_000;

/**
 * Takes no more connections, lets requests that are under way be answered, and then cuts what is left: a client
 * that never finishes its request, or never began one, would otherwise hold up the stop for ever.
 */
export async function stopServer(server: FastifyInstance, graceMs = GRACE_MS): Promise<void> {
  const cutting = setTimeout(() => {
    server.server.closeAllConnections();
  }, graceMs);
  try {
    await server.close();
  } finally {
    clearTimeout(cutting);
  }
}
