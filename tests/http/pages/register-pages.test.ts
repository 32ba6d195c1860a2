import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import type { AccountPageContext } from '../../../src/http/account-pages/account-page-context.js';
import { registerAccountPages } from '../../../src/http/account-pages/register-account-pages.js';
import { registerPages, type PagesOptions } from '../../../src/http/pages/index.js';
import { accountPagesOptions, pagesOptions } from './sample-pages.js';

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

/** Without automatic HEAD routes, as in the service, because the pages define their own. */
async function pagesApp(
  options: PagesOptions = pagesOptions(),
  accountPages: AccountPageContext = accountPagesOptions(),
): Promise<FastifyInstance> {
  app = Fastify({ exposeHeadRoutes: false });
  await app.register(registerAccountPages, accountPages);
  await app.register(registerPages, options);
  return app;
}

function inlined(html: string, element: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, 'g'))].map(([, text]) => text ?? '');
}

describe.each(['/', '/problems', '/invitation', '/verify-email', '/reset-password'])('the page at %s', (url) => {
  it('is HTML with headers against sniffing, referrers and frames', async () => {
    const { statusCode, headers } = await (await pagesApp()).inject({ url });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  });

  it('allows only its own inline script and style, by hash', async () => {
    const { body, headers } = await (await pagesApp()).inject({ url });
    const policy = String(headers['content-security-policy']);
    const inline = [...inlined(body, 'script'), ...inlined(body, 'style')];
    const hashes = inline.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(policy.match(/'sha256-[^']+'/g)?.sort()).toEqual(hashes.sort());
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/ style=| on[a-z]+="/);
  });

  it('loads no other resource', async () => {
    const { body } = await (await pagesApp()).inject({ url });
    expect(body).not.toMatch(/src=|@import|url\(|<link (?!rel="icon" href="data:)/);
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const pages = await pagesApp();
    const [get, head] = await Promise.all([pages.inject({ url }), pages.inject({ url, method: 'HEAD' })]);
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect({ ...head.headers, date: null }).toEqual({ ...get.headers, date: null });
  });

  it('is identical for every query and every header', async () => {
    const pages = await pagesApp();
    const plain = await pages.inject({ url });
    const laden = await pages.inject({
      url: `${url}?secret=<script>&secret=canary`,
      headers: { cookie: 'a=canary', 'x-canary': 'canary' },
    });
    expect(laden.body).toBe(plain.body);
  });
});

describe('the start page', () => {
  const html = async (changes: Partial<PagesOptions> = {}) =>
    (await (await pagesApp(pagesOptions(changes))).inject('/')).body;

  it('lists the version, the engine, the REST paths and the first steps', async () => {
    const page = await html();
    expect(page).toContain('Version 1.2.3, GraphQL by yoga.');
    expect(page).toContain('/api/groups/{group_id}/accepted-count');
    expect(page).toContain('curl https://convene.example/api/auth/register');
  });

  it('omits version and engine when it is not to show them', async () => {
    expect(await html({ running: null })).not.toMatch(/Version|yoga/);
  });

  it('links to the health check, also without a script', async () => {
    expect(await html()).toContain('<a href="/readyz">Health check</a>');
  });

  it('links only to pages and resources that the service has', async () => {
    const withoutApp = await pagesApp(pagesOptions(), { ...accountPagesOptions(), hasApp: false });
    const { body: page } = await withoutApp.inject('/');
    expect(page).toContain('<a href="/problems">Problems</a>');
    expect(page).toContain('<a href="/verify-email">OpenAPI</a>');
    expect(page).not.toContain('/app');
  });

  it('links to GraphiQL only when it is enabled', async () => {
    expect(await html({ graphiql: true })).toContain('<a href="/graphql">GraphiQL</a>');
    await app?.close();
    expect(await html({ graphiql: false })).not.toContain('GraphiQL');
  });

  it('escapes every option', async () => {
    const hostile = '"><img src=x onerror=alert(1)>';
    const page = await html({
      running: hostile,
      restRoutes: [{ method: hostile, path: hostile, summary: hostile }],
      pages: [{ path: '/problems', label: hostile, summary: hostile }],
      links: [{ path: '/problems', label: hostile, summary: hostile }],
    });
    expect(page).not.toContain('<img');
    expect(page.split('&quot;&gt;&lt;img').length - 1).toBe(8);
  });
});

describe('the page that verifies an email address', () => {
  it('forbids storing', async () => {
    expect((await (await pagesApp()).inject('/verify-email')).headers['cache-control']).toBe('no-store');
  });

  it('submits no form without its script', async () => {
    const { body } = await (await pagesApp()).inject('/verify-email');
    expect(body).not.toMatch(/ action=| method=/);
    expect(body).toContain('<button type="submit" disabled>Confirm email address</button>');
    expect(body).toContain('<noscript>');
  });
});

describe('the page that resets a password', () => {
  it('forbids storing, and marks the field of the new password for password managers', async () => {
    const { body, headers } = await (await pagesApp()).inject('/reset-password');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).not.toMatch(/ action=| method=/);
    expect(body).toContain('<label for="new-password">New password</label>');
    expect(body).toContain('name="newPassword" type="password" autocomplete="new-password" aria-describedby=');
    expect(body).toContain('<button type="submit" disabled>Set new password</button>');
    expect(body).toContain('<input id="email" name="email" type="email" autocomplete="email" required>');
    expect(body).toContain('<button type="submit" disabled>Mail me a link</button>');
  });
});

describe('the page of an invitation', () => {
  it('forbids storing, offers login and registration, and submits no form without its script', async () => {
    const { body, headers } = await (await pagesApp()).inject('/invitation');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).not.toMatch(/ action=| method=/);
    expect(body).toContain('type="password" autocomplete="current-password" required>');
    expect(body).toContain(
      'type="password" autocomplete="new-password" aria-describedby="new-password-hint" required>',
    );
    expect(body).not.toContain(' checked');
    expect(body).toContain('<noscript>');
  });
});
