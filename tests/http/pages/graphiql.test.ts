import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { PublicUrl } from '../../../src/http-core/index.js';
import { registerPageAssets } from '../../../src/http/assets/page-asset.js';
import { GRAPHIQL_ASSETS } from '../../../src/http/pages/graphiql-assets.js';
import { graphiqlPage } from '../../../src/http/pages/graphiql-page.js';

const publicUrl = new PublicUrl('http://localhost:4000');
const page = graphiqlPage({ graphqlPath: '/graphql', publicUrl });
const assets = [...new Set(page.html.match(/\/graphiql\/[\w./-]+/g))];

describe('the GraphiQL page', () => {
  it('allows scripts, workers and requests only of this server', () => {
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|blob:|unsafe-eval/);
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  });

  it('is small, and refers to its assets by version', () => {
    expect(page.html.length).toBeLessThan(40_000);
    expect(assets).toHaveLength(5);
    for (const asset of assets) expect(asset).toMatch(/^\/graphiql\/\d+\.\d+\.\d+\/[a-z-]+\.(js|css)$/);
  });

  it('has a form for the login, and GraphiQL does not store headers', () => {
    expect(page.html).toContain('type="password" autocomplete="current-password" required>');
    expect(page.html).not.toMatch(/ action=| method=/);
    expect(page.html).toContain('&quot;shouldPersistHeaders&quot;:false');
  });

  it('escapes its options', () => {
    const { html } = graphiqlPage({ graphqlPath: '"><script>alert(1)</script>', publicUrl });
    expect(html).not.toContain('<script>alert');
  });
});

describe('registerPageAssets', () => {
  let app: FastifyInstance;

  beforeAll(() => {
    app = Fastify({ exposeHeadRoutes: false });
    registerPageAssets(app, Object.values(GRAPHIQL_ASSETS));
  });
  afterAll(() => app.close());

  it.each(assets)('serves %s compressed and immutable, with the same content uncompressed', async (url) => {
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
    const plain = await app.inject({ url });
    expect(packed.statusCode).toBe(200);
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'cache-control': expect.stringContaining('immutable'),
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length * 0.6);
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  });

  it.each([
    ['gzip', true],
    ['deflate, gzip;q=0.5', true],
    ['*;q=0.5', false],
    ['gzip;q=0', false],
    ['gzip; q=0.0, br', false],
    ['identity', false],
  ])('for Accept-Encoding: %s, compression is %s', async (acceptEncoding, compressed) => {
    const { headers } = await app.inject({
      url: assets[0] ?? '',
      method: 'HEAD',
      headers: { 'accept-encoding': acceptEncoding },
    });
    expect(headers['content-encoding'] === 'gzip').toBe(compressed);
  });

  it('responds with 404 for another version', async () => {
    expect((await app.inject('/graphiql/0.0.0/graphiql.js')).statusCode).toBe(404);
  });
});
