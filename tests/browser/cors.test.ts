import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { registerUser, type TestUser } from '../support/service/test-users.js';
import { describeInBrowser } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

/** Starts a server that serves an empty page, as the origin of a front end. */
async function startFrontEnd(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { server, origin: `http://127.0.0.1:${String(address.port)}` };
}

describeInBrowser('a front end on another origin', () => {
  let frontEnd: Awaited<ReturnType<typeof startFrontEnd>>;
  let service: TestService;
  let user: TestUser;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    frontEnd = await startFrontEnd();
    service = await startTestService({ hasher: FAKE_HASHER, settings: { CORS_ORIGINS: frontEnd.origin } });
    user = await registerUser(service);
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(frontEnd.origin);
  });
  afterAll(async () => {
    await browser.close();
    await service.remove();
    frontEnd.server.close();
  });

  function call(path: string, method: string, body?: object): Promise<{ status: number; requestId: string | null }> {
    return page.evaluate(
      async ({ url, init }) => {
        const response = await fetch(url, init);
        await response.text();
        return { status: response.status, requestId: response.headers.get('x-request-id') };
      },
      {
        url: service.url + path,
        init: {
          method,
          headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        },
      },
    );
  }

  it.each([
    ['a query', '/graphql', 'POST', { query: '{ me { id } }' }, 200],
    ['a profile', '/api/auth/me', 'GET', undefined, 200],
    ['an error', '/api/groups/1/users/2/status', 'PATCH', { status: 'accepted' }, 422],
    ['the public keys', '/.well-known/jwks.json', 'GET', undefined, 200],
    ['the metadata', '/.well-known/oauth-authorization-server', 'GET', undefined, 200],
  ])('reads %s and its X-Request-Id', async (_, path, method, body, status) => {
    const response = await call(path, method, body);

    expect(response.status).toBe(status);
    expect(response.requestId).toMatch(/^[\w-]{36}$/);
  });

  it('is blocked by the browser on an origin that is not listed', async () => {
    const listed = await page.evaluate(() => location.origin);
    const other = await browser.newPage();
    await other.goto(listed.replace('127.0.0.1', 'localhost'));

    const outcome = other.evaluate((url) => fetch(url).then(() => 'read'), `${service.url}/graphql?query={__typename}`);

    await expect(outcome).rejects.toThrow('Failed to fetch');
    await other.close();
  });
});
