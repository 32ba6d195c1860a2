import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeWith } from '../support/processes/installed-programs.js';
import { startBehindNginx, type ServiceBehindNginx } from '../support/service/service-behind-nginx.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../support/service/test-users.js';
import { findAccessibilityViolations } from './axe.js';
import { describeInBrowser, observe } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

describeInBrowser('the API reference at /api/docs', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  /** Requires that the page sends requests to the service only, below its base path, and has no errors. */
  async function withPage(service: { readonly url: string }, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const { requests, problems } = observe(page);
    try {
      await page.goto(`${service.url}/api/docs`);
      await page.getByRole('heading', { name: 'Convene', level: 1 }).waitFor();
      await work(page);
      await expect(page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).resolves.not.toMatch(
        /eyJ|lanterns/,
      );
    } finally {
      await context.close();
    }
    const isInside = (request: string) => request.includes(` ${service.url}/`) || request.includes(' data:');
    expect(requests.filter((request) => !isInside(request))).toEqual([]);
    expect(problems).toEqual([]);
  }

  /** Obtains an access token by the form of the page. */
  async function logIn(page: Page, { username }: TestUser): Promise<void> {
    await page.getByRole('combobox', { name: 'Username' }).click();
    await page.keyboard.type(username);
    await page.getByLabel('Password', { exact: true }).first().click();
    await page.keyboard.type(PASSWORD);
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/auth/token') && response.status() === 200),
      page.getByRole('button', { name: 'Authorize' }).first().click(),
    ]);
  }

  /** Opens the dialog of the profile, which is rendered when its part of the page is visible. */
  async function openProfileRequest(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Get the profile' }).first().click();
    await page.getByRole('button', { name: 'Test Request (get /api/auth/me)' }).click();
  }

  /** Sends the request of the profile, whose dialog is open. */
  async function send(page: Page): Promise<{ readonly status: number; readonly body: unknown }> {
    const [response] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/auth/me')),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    return { status: response.status(), body: await response.json() };
  }

  describe('of a service', () => {
    let service: TestService;
    let user: TestUser;

    beforeAll(async () => {
      service = await startTestService({ hasher: FAKE_HASHER });
      user = await registerUser(service);
      await createGroupViaApi(user);
    });
    afterAll(() => service.remove());

    it('lists the paths, without accessibility violations, and fits the width of a phone', () =>
      withPage(service, async (page) => {
        await page.getByRole('link', { name: 'Get the profile' }).first().waitFor();
        await expect(findAccessibilityViolations(page)).resolves.toEqual([]);
        await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(390);
      }));

    it('logs in with a password, and sends a request with the token from an accessible dialog', () =>
      withPage(service, async (page) => {
        await logIn(page, user);
        await openProfileRequest(page);
        await expect(send(page)).resolves.toMatchObject({ status: 200, body: { user_id: user.id } });
        await page.getByText(user.username).last().waitFor();
        await expect(findAccessibilityViolations(page)).resolves.toEqual([]);
      }));
  });

  describeWith(['nginx'], 'under a base path that nginx removes', () => {
    let service: ServiceBehindNginx;
    let user: TestUser;

    beforeAll(async () => {
      service = await startBehindNginx('removes', { hasher: FAKE_HASHER });
      user = await registerUser(service);
    });
    afterAll(() => service.remove());

    it('sends requests below the base path', () =>
      withPage(service, async (page) => {
        await logIn(page, user);
        await openProfileRequest(page);
        await expect(send(page)).resolves.toMatchObject({ status: 200, body: { user_id: user.id } });
      }));
  });
});
