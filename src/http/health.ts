import type { FastifyInstance } from 'fastify';

export const READINESS_PATH = '/readyz';

/**
 * Serves the health checks of supervisors. When `/livez` fails, the process should be restarted. While `/readyz` fails,
 * it should get no requests.
 *
 * @param requireReady rejects with an UnavailableError while the service cannot serve
 */
export function registerHealth(app: FastifyInstance, requireReady: () => Promise<void>): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/livez',
    handler: (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: READINESS_PATH,
    handler: async (_, reply) => {
      await requireReady();
      return reply.header('cache-control', 'no-store').send({ status: 'ready' });
    },
  });
}
