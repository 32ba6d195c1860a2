import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { findAccessibilityViolations } from './axe.js';
import { describeInBrowser, observe } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

/** Folder for a screenshot of each page in each mode; none without it. */
const { SCREENSHOTS } = process.env;
const PRODUCTION = { NODE_ENV: 'production', SERVER_SECRET: Buffer.alloc(32, 1).toString('base64') };
const PHONE = { width: 390, height: 844 };

describeInBrowser("the server's own pages", () => {
  let browser: Browser;
  let development: TestService;
  let production: TestService;

  beforeAll(async () => {
    [browser, development, production] = await Promise.all([
      launchChromium(),
      startTestService(),
      startTestService({ settings: PRODUCTION }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([development.remove(), production.remove()]);
  });

  /** Requires that the page loads nothing from other origins, and has no errors and no violations of its policy. */
  async function withPage(url: string, look: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage({ viewport: PHONE });
    const { requests, problems } = observe(page);
    await page.goto(url);
    await look(page);
    await page.close();
    const { origin } = new URL(url);
    const isLocal = (request: string) => request.includes(` ${origin}/`) || request.includes(' data:');
    expect(requests.filter((request) => !isLocal(request))).toEqual([]);
    expect(problems).toEqual([]);
  }

  describe.each([
    ['/', 'development'],
    ['/', 'production'],
    ['/graphql', 'production'],
    ['/problems', 'development'],
    ['/docs', 'production'],
    ['/docs/performance', 'development'],
  ] as const)('%s in %s', (path, mode) => {
    const url = () => (mode === 'production' ? production : development).url + path;

    it('fits the width of a phone, and has no accessibility violations', () =>
      withPage(url(), async (page) => {
        await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(PHONE.width);
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await takeScreenshots(page, `${path.replaceAll('/', '-')}-${mode}`);
      }));
  });

  describe('the start page', () => {
    const state = (page: Page) => page.getByRole('status');

    it('shows that the service is ready, and where its pages are', () =>
      withPage(`${development.url}/`, async (page) => {
        await state(page).filter({ hasText: 'Ready to serve requests.' }).waitFor();
        for (const [name, href] of [
          ['GraphiQL', '/graphql'],
          ['Problems', '/problems'],
          ['OpenAPI', '/openapi.json'],
        ] as const)
          await expect(page.getByRole('link', { name, exact: true }).getAttribute('href')).resolves.toBe(href);
      }));

    it('shows that the service cannot be reached', async () => {
      const page = await browser.newPage();
      await page.route('**/readyz', (route) => route.abort());
      await page.goto(`${development.url}/`);
      await state(page).filter({ hasText: 'The service cannot be reached.' }).waitFor();
      await page.close();
    });

    it('shows that the service refuses requests', async () => {
      const page = await browser.newPage();
      await page.route('**/readyz', (route) => route.fulfill({ status: 503 }));
      await page.goto(`${development.url}/`);
      await state(page).filter({ hasText: 'Not ready' }).waitFor();
      await page.close();
    });

    it('shows neither version, engine nor GraphiQL in production', () =>
      withPage(`${production.url}/`, async (page) => {
        await state(page).filter({ hasText: 'Ready' }).waitFor();
        await expect(page.locator('main').innerText()).resolves.not.toMatch(/version|yoga|apollo|graphiql/i);
      }));
  });
});

async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, PHONE.width]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: PHONE.height });
      const path = join(SCREENSHOTS, `page${name}-${colorScheme}-${width}.png`);
      await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height: 2 * PHONE.height } });
    }
  }
}
