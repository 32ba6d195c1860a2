import { METHODS } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { HttpError } from '../http-core/index.js';

interface ServedPath {
  readonly methods: Set<string>;
  readonly errorHandler: RouteOptions['errorHandler'];
  readonly config: RouteOptions['config'];
}

/**
 * Records the methods of each path as its routes are added.
 *
 * @returns to be called when all routes are added; from then on OPTIONS lists the methods of a path, and every other
 *   method is rejected with 405 before its body is read (RFC 9110, sections 9.3.7 and 15.5.6)
 */
export function trackAllowedMethods(app: FastifyInstance): () => void {
  const served = new Map<string, ServedPath>();
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  app.addHook('onRoute', ({ url, method, errorHandler, config }) => {
    const path = served.get(url) ?? { methods: new Set(), errorHandler, config };
    for (const each of [method].flat()) path.methods.add(each);
    served.set(url, path);
  });
  return () => {
    for (const [url, path] of [...served]) rejectOtherMethods(app, url, { ...path, methods: new Set(path.methods) });
  };
}

function rejectOtherMethods(app: FastifyInstance, url: string, { methods, errorHandler, config }: ServedPath): void {
  const allow = [...methods, 'OPTIONS'].toSorted().join(', ');
  const shared = { ...(errorHandler && { errorHandler }), ...(config && { config }) };
  app.route({
    method: 'OPTIONS',
    url,
    ...shared,
    handler: (_, reply) => reply.code(204).header('allow', allow).send(),
  });
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'OPTIONS' && !methods.has(method)),
    url,
    exposeHeadRoute: false,
    ...shared,
    onRequest: (_, reply) => {
      reply.header('allow', allow);
      return Promise.reject(new HttpError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`));
    },
    handler: () => undefined,
  });
}
