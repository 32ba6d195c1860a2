import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type * as Bundle from '@graphql-yoga/render-graphiql/graphiql';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

interface Asset {
  readonly path: string;
  readonly contentType: string;
  readonly pick: (parts: typeof Bundle) => string;
}

const requirePackage: (name: string) => unknown = createRequire(import.meta.url);
const bundle = z.object({ version: z.string() }).parse(requirePackage('@graphql-yoga/render-graphiql/package.json'));
const compress = promisify(gzip);
/** Accepted unless its weight is 0 (RFC 9110, section 12.5.3). */
const GZIP_ACCEPTED = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** The assets of the page, from the installed package. */
export const GRAPHIQL_ASSETS = {
  script: asset('graphiql.js', (parts) => parts.js),
  style: asset('graphiql.css', (parts) => parts.css),
  editorWorker: asset('editor-worker.js', (parts) => parts.editorWorkerService),
  graphqlWorker: asset('graphql-worker.js', (parts) => parts.graphqlWorker),
  jsonWorker: asset('json-worker.js', (parts) => parts.jsonWorker),
};

/**
 * Serves the assets of the GraphiQL page, 9 MB in total. Each is read and compressed (to 2.4 MB in total) at its first
 * request and then cached in memory, so that a service whose GraphiQL is never opened spends nothing.
 */
export async function registerGraphiqlAssets(app: FastifyInstance): Promise<void> {
  const compressed = new Map<Asset, Promise<Buffer>>();
  const compressedOnce = (part: Asset): Promise<Buffer> => {
    const result = compressed.get(part) ?? contentOf(part).then((content) => compress(content));
    compressed.set(part, result);
    return result;
  };
  for (const part of Object.values(GRAPHIQL_ASSETS)) {
    app.route({
      method: ['GET', 'HEAD'],
      url: part.path,
      handler: async (request, reply) => {
        setHeaders(reply, part);
        if (!acceptsGzip(request)) return contentOf(part);
        return reply.header('content-encoding', 'gzip').send(await compressedOnce(part));
      },
    });
  }
}

async function contentOf(part: Asset): Promise<string> {
  return part.pick(await import('@graphql-yoga/render-graphiql/graphiql'));
}

function setHeaders(reply: FastifyReply, { contentType }: Asset): void {
  reply.headers({
    'content-type': contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    // Applies to the workers, which do not inherit the policy of the page and load nothing.
    'content-security-policy': "default-src 'none'",
    vary: 'accept-encoding',
  });
}

function acceptsGzip(request: FastifyRequest): boolean {
  return GZIP_ACCEPTED.test(request.headers['accept-encoding']?.toString() ?? '');
}

/** The version is part of the path, so that the content of a path never changes and may be cached forever. */
function asset(file: string, pick: Asset['pick']): Asset {
  const contentType = extname(file) === '.css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  return { path: `/graphiql/${bundle.version}/${file}`, contentType, pick };
}
