import type { FastifyInstance } from 'fastify';
import type { PublicUrl } from '../http-core/index.js';
import { openApiDocument, sendWithEntityTag } from '../rest/index.js';
import { READABLE_BY_EVERY_ORIGIN } from './cors.js';

export const OPENAPI_PATH = '/openapi.json';
/** It changes only with the version of the service. */
const CACHE_CONTROL = 'public, max-age=3600';

/** Serves the OpenAPI document of the REST API. The document is built at its first request. */
export function registerOpenApi(app: FastifyInstance, publicUrl: PublicUrl): void {
  let text: string | undefined;
  app.route({
    method: ['GET', 'HEAD'],
    url: OPENAPI_PATH,
    config: READABLE_BY_EVERY_ORIGIN,
    handler: (request, reply) => {
      text ??= JSON.stringify(openApiDocument(publicUrl));
      reply.headers({ 'cache-control': CACHE_CONTROL, 'content-type': 'application/json; charset=utf-8' });
      return sendWithEntityTag(request, reply, text);
    },
  });
}
