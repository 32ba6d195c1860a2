import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { registerAccountPages } from '../../src/http/account-pages/register-account-pages.js';
import { registerPages } from '../../src/http/pages/index.js';
import { accountPagesOptions, pagesOptions } from '../http/pages/sample-pages.js';
import { describeInBrowser, observe } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

/** The pages send the id of their document, so the variables tell what it does. */
interface Operation {
  readonly documentId: string;
  readonly variables: {
    readonly input: { readonly secret?: string; readonly newPassword?: string; readonly email?: string };
  };
}

interface Call {
  readonly operation: Operation;
}

const rejection = { errors: [{ message: 'The link is <b>not</b> valid.', extensions: { code: 'BAD_USER_INPUT' } }] };

/** Long enough for the form, so that only the service rejects it. */
const COMMON = 'password1234';

const tooCommon = {
  errors: [
    {
      message: 'The password is too common.',
      extensions: {
        code: 'BAD_USER_INPUT',
        fields: [{ field: 'newPassword', message: 'must not be a common password' }],
      },
    },
  ],
};

/** @returns the response of the service; `down` closes the connection instead */
function responseTo({ variables: { input } }: Operation): object {
  if (input.newPassword !== undefined)
    return input.newPassword === COMMON ? tooCommon : { data: { resetPassword: { revokedSessions: 1 } } };
  if (input.email !== undefined) return { data: { requestPasswordReset: { accepted: true } } };
  return input.secret === 'good' ? { data: { verifyEmail: { user: { id: '1' } } } } : rejection;
}

describeInBrowser('the pages in a browser', () => {
  let app: FastifyInstance;
  let browser: Browser;
  let origin: string;
  let down = false;
  const calls: Call[] = [];
  const urls: string[] = [];

  beforeAll(async () => {
    app = Fastify({ forceCloseConnections: true });
    app.addHook('onRequest', async (request) => void urls.push(request.url));
    await app.register(registerAccountPages, accountPagesOptions());
    await app.register(registerPages, pagesOptions());
    app.post('/graphql', (request: FastifyRequest<{ Body: Operation }>, reply) => {
      calls.push({ operation: request.body });
      if (down) return request.raw.destroy();
      return reply.send(responseTo(request.body));
    });
    origin = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterEach(() => {
    calls.length = 0;
    urls.length = 0;
    down = false;
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function withPage(
    path: string,
    look: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const observed = observe(page);
    await page.goto(origin + path);
    await look(page);
    await context.close();
    expect(
      observed.requests.filter((request) => !request.includes(` ${origin}/`) && !request.includes(' data:')),
    ).toEqual([]);
    if (!down) expect(observed.problems).toEqual([]);
  }

  const outcome = (page: Page) => page.getByRole('status');
  const button = (page: Page) => page.getByRole('button', { name: 'Confirm email address' });

  describe('the start page', () => {
    it('is complete without JavaScript, and fits the width of a phone', () =>
      withPage(
        '/',
        async (page) => {
          await expect(page.getByRole('link', { name: 'GraphiQL' }).getAttribute('href')).resolves.toBe('/graphql');
          await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(360);
        },
        { viewport: { width: 360, height: 740 }, javaScriptEnabled: false },
      ));
  });

  describe('the page that resets a password', () => {
    const set = (page: Page) => page.getByRole('button', { name: 'Set new password' });

    it('sends the secret and the new password in the body, and then forgets both', () =>
      withPage('/reset-password#secret=good', async (page) => {
        await page.getByLabel('New password', { exact: true }).fill('nine louder lanterns');
        expect(calls).toEqual([]);
        await page.keyboard.press('Enter');
        await outcome(page).filter({ hasText: 'Your new password is set' }).waitFor();
        expect(calls.map(({ operation }) => operation.variables)).toEqual([
          { input: { secret: 'good', newPassword: 'nine louder lanterns' } },
        ]);
        expect(urls.join()).not.toMatch(/good|lanterns/);
        expect(page.url()).toBe(`${origin}/reset-password`);
        await expect(set(page).isVisible()).resolves.toBe(false);
      }));

    it('shows the error of a password, and allows another attempt', () =>
      withPage('/reset-password#secret=good', async (page) => {
        await page.getByLabel('New password', { exact: true }).fill(COMMON);
        await set(page).click();
        await outcome(page)
          .filter({ hasText: 'The password is too common. New password must not be a common password.' })
          .waitFor();
        await expect(set(page).isEnabled()).resolves.toBe(true);
      }));

    it('sends nothing without a password', () =>
      withPage('/reset-password#secret=good', async (page) => {
        await set(page).click();
        await page.locator('#new-password:invalid').waitFor();
        expect(calls).toEqual([]);
      }));
  });

  describe('the page that resets a password, without a link', () => {
    const askFor = (page: Page) => page.getByRole('button', { name: 'Mail me a link' });

    it('requests a link, and does not reveal whether the account exists', () =>
      withPage('/reset-password', async (page) => {
        await expect(page.getByLabel('New password').isVisible()).resolves.toBe(false);
        await page.getByLabel('Email address').fill('ada@example.org');
        await askFor(page).click();
        await outcome(page).filter({ hasText: 'If this is the confirmed address of an account' }).waitFor();
        expect(calls.map(({ operation }) => operation.variables)).toEqual([{ input: { email: 'ada@example.org' } }]);
        expect(urls.join()).not.toContain('ada');
        await expect(askFor(page).isVisible()).resolves.toBe(false);
      }));

    it('sends nothing without an address', () =>
      withPage('/reset-password', async (page) => {
        await askFor(page).click();
        await page.locator('#email:invalid').waitFor();
        expect(calls).toEqual([]);
      }));

    it('shows the form of the password when the URL gets a secret', () =>
      withPage('/reset-password', async (page) => {
        await askFor(page).waitFor();
        await page.goto(`${origin}/reset-password#secret=good`);
        await page.getByLabel('New password', { exact: true }).fill('nine louder lanterns');
        await page.keyboard.press('Enter');
        await outcome(page).filter({ hasText: 'Your new password is set' }).waitFor();
        await expect(askFor(page).isVisible()).resolves.toBe(false);
      }));

    it('states without JavaScript that it needs it, and shows no enabled button', () =>
      withPage(
        '/reset-password',
        async (page) => {
          await page.locator('noscript p').waitFor();
          await expect(askFor(page).isVisible()).resolves.toBe(false);
          await expect(page.getByRole('button', { name: 'Set new password' }).isEnabled()).resolves.toBe(false);
        },
        { javaScriptEnabled: false },
      ));
  });

  describe('the page that verifies an email address', () => {
    it('sends nothing when it is opened', () =>
      withPage('/verify-email#secret=good', async (page) => {
        await button(page).waitFor();
        expect(calls).toEqual([]);
      }));

    it('sends the secret in the body when the button is pressed, and then forgets it', () =>
      withPage('/verify-email#secret=good', async (page) => {
        await button(page).click();
        await outcome(page).filter({ hasText: 'is confirmed' }).waitFor();
        expect(calls.map(({ operation }) => operation.variables)).toEqual([{ input: { secret: 'good' } }]);
        expect(urls.join()).not.toContain('good');
        expect(page.url()).toBe(`${origin}/verify-email`);
        await expect(button(page).isVisible()).resolves.toBe(false);
      }));

    it('works with the keyboard, and moves the focus to the outcome', () =>
      withPage('/verify-email#secret=good', async (page) => {
        await button(page).focus();
        await page.keyboard.press('Enter');
        await page.locator('#outcome.success:focus').waitFor();
      }));

    it('shows the message of an error as text, and allows another attempt', () =>
      withPage('/verify-email#secret=bad', async (page) => {
        await button(page).click();
        await outcome(page).filter({ hasText: 'The link is <b>not</b> valid.' }).waitFor();
        await expect(button(page).isEnabled()).resolves.toBe(true);
        expect(page.url()).toContain('#secret=bad');
      }));

    it('shows a message when the service cannot be reached', () =>
      withPage('/verify-email#secret=good', async (page) => {
        down = true;
        await button(page).click();
        await outcome(page).filter({ hasText: 'could not be reached' }).waitFor();
      }));

    it('asks for the complete link until the URL has a secret', () =>
      withPage('/verify-email', async (page) => {
        await outcome(page).filter({ hasText: 'This link is incomplete.' }).waitFor();
        await expect(button(page).isEnabled()).resolves.toBe(false);
        await page.goto(`${origin}/verify-email#secret=good`);
        await button(page).click();
        await outcome(page).filter({ hasText: 'is confirmed' }).waitFor();
      }));

    it('states without JavaScript that it needs it, and shows no enabled button', () =>
      withPage(
        '/verify-email#secret=good',
        async (page) => {
          await page.locator('noscript p').waitFor();
          await expect(page.locator('noscript p').innerText()).resolves.toContain('This page needs JavaScript');
          await expect(button(page).isEnabled()).resolves.toBe(false);
        },
        { javaScriptEnabled: false },
      ));
  });
});
