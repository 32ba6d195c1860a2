import type { FastifyInstance } from 'fastify';
import { UnavailableError } from '../errors/index.js';

/**
 * Refuses requests that arrive on open connections while the server closes, in the error format of their path. Then it
 * closes the connection, so that the client opens one to another process.
 *
 * To be called after the hook that sets the headers of every response. Needs `return503OnClosing: false`, because
 * Fastify's own response has none of them.
 */
export function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onRequest', (_request, reply, done) => {
    if (isClosing) reply.raw.shouldKeepAlive = false;
    done(isClosing ? new UnavailableError('SHUTTING_DOWN') : undefined);
  });
}
