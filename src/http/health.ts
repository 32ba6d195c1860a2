import type { FastifyInstance } from 'fastify';

/**
 * Tells supervisors how the process is: `/livez`, whether it runs at all (if not, restart it), and `/readyz`, whether
 * it can serve (if not, send it no requests for now).
 *
 * @param requireReady throws an UnavailableError while the service cannot serve
 */
export function registerHealth(app: FastifyInstance, requireReady: () => Promise<void>): void {
  app.get('/livez', { exposeHeadRoute: true }, (_, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  app.get('/readyz', { exposeHeadRoute: true }, async (_, reply) => {
    await requireReady();
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
