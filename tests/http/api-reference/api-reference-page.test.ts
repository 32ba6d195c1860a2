import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { PublicUrl } from '../../../src/http-core/index.js';
import { registerApiReference } from '../../../src/http/api-reference/index.js';

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

function referenceApp(publicUrl: string): FastifyInstance {
  app = Fastify({ exposeHeadRoutes: false });
  registerApiReference(app, {
    publicUrl: new PublicUrl(publicUrl),
    openApiPath: '/openapi.json',
    tokenPath: '/api/auth/token',
  });
  return app;
}

function optionsOf(html: string): unknown {
  return JSON.parse(/data-options="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '');
}

describe('the page of the API reference', () => {
  it('allows scripts and requests only of this server, and inline only its own script', async () => {
    const { body, headers } = await referenceApp('http://localhost:4000').inject('/api/docs');
    const policy = String(headers['content-security-policy']);
    const inline = /<script type="module">([^]*?)<\/script>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(inline).digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).toContain("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|blob:|unsafe-eval/);
    expect(body).not.toMatch(/ style=| on[a-z]+="/);
  });

  it('refers to the service below its base path', async () => {
    const { body } = await referenceApp('https://example.org/convene').inject('/api/docs');
    expect(optionsOf(body)).toEqual({
      document: '/convene/openapi.json',
      basePath: '/convene',
      tokenPath: '/convene/api/auth/token',
    });
    expect(body).toMatch(/<script src="\/convene\/api\/docs\/\d+\.\d+\.\d+\/scalar\.js"><\/script>/);
    expect(body).toContain('<a href="/convene/">');
  });

  it('links to the OpenAPI document for visitors without JavaScript', async () => {
    const { body } = await referenceApp('http://localhost:4000').inject('/api/docs');
    expect(body).toMatch(/<noscript>.*<a href="\/openapi\.json">/);
  });
});

describe('the script of the API reference', () => {
  it('is served compressed and immutable, with the same content uncompressed', async () => {
    const reference = referenceApp('http://localhost:4000');
    const { body } = await reference.inject('/api/docs');
    const url = /<script src="([^"]*)"/.exec(body)?.[1] ?? '';
    const packed = await reference.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    const plain = await reference.inject({ url });
    expect(packed.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
      vary: 'accept-encoding',
    });
    expect(plain.body).toContain('createApiReference');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  });
});
