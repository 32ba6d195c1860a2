import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerPageAssets, type PageAsset } from '../../../src/http/assets/page-asset.js';

const URL = '/assets/1.2.3/page.js';
const CONTENT = 'globalThis.answer = 42;';

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

function assetsApp(read: PageAsset['read']): FastifyInstance {
  app = Fastify({ exposeHeadRoutes: false });
  registerPageAssets(app, [{ path: URL, read }]);
  return app;
}

describe('registerPageAssets', () => {
  it('reads an asset once, for clients with and without gzip', async () => {
    const read = jest.fn<PageAsset['read']>().mockResolvedValue(CONTENT);
    const assets = assetsApp(read);
    const plain = await Promise.all([
      assets.inject(URL),
      assets.inject(URL),
      assets.inject({ url: URL, method: 'HEAD' }),
    ]);
    const packed = await assets.inject({ url: URL, headers: { 'accept-encoding': 'gzip' } });
    expect(plain.map(({ body }) => body)).toEqual([CONTENT, CONTENT, '']);
    expect(plain.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, undefined, undefined]);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(CONTENT);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads an asset again after a failure', async () => {
    const read = jest.fn<PageAsset['read']>().mockRejectedValueOnce(new Error('too many open files'));
    const assets = assetsApp(read.mockResolvedValue(CONTENT));
    const statuses = [];
    for (const encoding of ['gzip', 'gzip', 'identity'])
      statuses.push((await assets.inject({ url: URL, headers: { 'accept-encoding': encoding } })).statusCode);
    expect(statuses).toEqual([500, 200, 200]);
  });
});
