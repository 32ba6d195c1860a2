import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A script or style of a package, which a page loads by its path. */
export interface PageAsset {
  /** Contains the version of the package, so that the content of a path never changes. */
  readonly path: string;
  /** Called at the first request. */
  readonly read: () => Promise<string>;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Accepted unless its weight is 0 (RFC 9110, section 12.5.3). */
const GZIP_ACCEPTED = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/**
 * Serves assets, which browsers may store without limit.
 *
 * Each is read and compressed at its first request and then cached in memory, so that a service whose page is never
 * opened spends nothing. Only the compressed content is cached. It is decompressed for the few clients that do not
 * accept gzip, which is faster than reading the package again.
 */
export function registerPageAssets(app: FastifyInstance, assets: readonly PageAsset[]): void {
  const compressed = new Map<PageAsset, Promise<Buffer>>();
  const compressedOnce = (asset: PageAsset): Promise<Buffer> => {
    const result = compressed.get(asset) ?? asset.read().then((content) => compress(content));
    compressed.set(asset, result);
    // A failure is not kept: the next request tries again.
    result.catch(() => compressed.delete(asset));
    return result;
  };
  for (const asset of assets) {
    app.route({
      method: ['GET', 'HEAD'],
      url: asset.path,
      handler: async (request, reply) => {
        setHeaders(reply, asset);
        const content = await compressedOnce(asset);
        if (!acceptsGzip(request)) return decompress(content);
        return reply.header('content-encoding', 'gzip').send(content);
      },
    });
  }
}

function setHeaders(reply: FastifyReply, { path }: PageAsset): void {
  reply.headers({
    'content-type': `text/${extname(path) === '.css' ? 'css' : 'javascript'}; charset=utf-8`,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    // Applies to workers, which do not inherit the policy of the page and load nothing.
    'content-security-policy': "default-src 'none'",
    vary: 'accept-encoding',
  });
}

function acceptsGzip(request: FastifyRequest): boolean {
  return GZIP_ACCEPTED.test(request.headers['accept-encoding']?.toString() ?? '');
}
