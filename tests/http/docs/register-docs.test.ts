import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { createErrorHandler, PublicUrl } from '../../../src/http-core/index.js';
import { registerDocs } from '../../../src/http/docs/index.js';

const publicUrl = new PublicUrl('https://example.org/convene');
let app: FastifyInstance;

beforeAll(() => {
  app = Fastify({ exposeHeadRoutes: false });
  app.setErrorHandler(createErrorHandler({ publicUrl, reportUnexpectedError: () => undefined }));
  registerDocs(app, publicUrl);
});
afterAll(() => app.close());

describe('registerDocs', () => {
  it.each(['/docs', '/docs/rest', '/docs/decisions', '/docs/decisions/0001-graph-at-the-core-thin-transports'])(
    'serves %s as a page without script, with links below the base path',
    async (url) => {
      const { statusCode, headers, body } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      expect(headers['content-security-policy']).not.toMatch(/script-src|connect-src|unsafe|https?:|\*/);
      expect(body).not.toMatch(/<script|BASE_PATH|href="\/(?!convene\/)/);
    },
  );

  it('lists every page with its summary, in the group of its readers', async () => {
    const { body } = await app.inject('/docs');
    const [, clients = '', operators = '', developers = ''] = body.split('<h2>');
    expect(clients).toContain('<a href="/convene/docs/rest">REST</a><span class="does">The REST paths, their bodies');
    expect(operators).toContain('<a href="/convene/docs/configuration">');
    expect(developers).toContain('<a href="/convene/docs/decisions">');
    expect(body).not.toContain('0001');
  });

  it('returns 304 for the entity tag of a page', async () => {
    const { headers } = await app.inject('/docs/rest');
    const again = await app.inject({ url: '/docs/rest', headers: { 'if-none-match': String(headers.etag) } });
    expect({ status: again.statusCode, body: again.body, etag: again.headers.etag }).toEqual({
      status: 304,
      body: '',
      etag: headers.etag,
    });
  });

  it.each([
    '/docs/nonsense',
    '/docs/decisions/nonsense',
    '/docs/..%2fpackage',
    '/docs/rest.md',
    '/docs/decisions/README',
  ])('returns 404 for %s', async (url) => {
    const { statusCode, body } = await app.inject(url);
    expect(statusCode).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ reason: 'ROUTE_NOT_FOUND' });
  });
});
