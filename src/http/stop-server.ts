import type { FastifyInstance } from 'fastify';

/** Longer than an ordinary request, and shorter than the time that supervisors grant for a stop. */
const GRACE_MS = 3_000;

/**
 * Accepts no more connections, waits for the requests in flight, and closes the remaining connections after the grace
 * period. Reason: a client that never completes its request would block the stop.
 */
export async function stopServer(server: FastifyInstance, graceMs = GRACE_MS): Promise<void> {
  const graceTimer = setTimeout(() => {
    server.server.closeAllConnections();
  }, graceMs);
  try {
    await server.close();
  } finally {
    clearTimeout(graceTimer);
  }
}
