import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, type TestUser } from '../../support/service/test-users.js';
import { observe, type Observed } from '../chromium.js';
import { launchChromium } from '../launch-chromium.js';

export interface AppFixture {
  readonly service: TestService;
  readonly mailer: RecordingMailer;
  /** Opens a page in a browser profile of its own. Its problems fail the test, unless they are expected. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Opens a page of the client, and logs in there. */
  openAs(user: Pick<TestUser, 'username'>, path?: string, options?: OpenOptions): Promise<Page>;
}

interface OpenOptions extends BrowserContextOptions {
  /** Whether the service may reject requests of the page, which Chromium reports as errors of the console. */
  readonly mayBeRejected?: boolean;
}

interface OpenedPage {
  readonly observed: Observed;
  readonly mayBeRejected: boolean;
}

/** Starts the service and Chromium for the tests of a block. */
export function useApp(settings: Readonly<Record<string, string>> = {}): AppFixture {
  const mailer = new RecordingMailer();
  const contexts: BrowserContext[] = [];
  const opened: OpenedPage[] = [];
  let service: TestService | undefined;
  let browser: Browser | undefined;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startTestService({ mailer, hasher: FAKE_HASHER, settings }),
      launchChromium(),
    ]);
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(opened.splice(0).flatMap(problemsOf)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  const fixture: AppFixture = {
    get service() {
      return service!;
    },
    mailer,
    async open(path, { mayBeRejected = false, ...options } = {}) {
      const context = await browser!.newContext(options);
      contexts.push(context);
      const page = await context.newPage();
      opened.push({ observed: observe(page), mayBeRejected });
      await page.goto(path.startsWith('http') ? path : fixture.service.url + path);
      return page;
    },
    async openAs(user, path = '/app', options = {}) {
      const page = await fixture.open(path, options);
      await logIn(page, user.username);
      await page.getByRole('navigation').waitFor();
      return page;
    },
  };
  return fixture;
}

export async function logIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

export function heading(page: Page, name: string) {
  return page.getByRole('heading', { name, exact: true, level: 1 });
}

/** The section of the page that has the heading. */
export function section(page: Page, name: string) {
  return page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
}

function problemsOf({ observed, mayBeRejected }: OpenedPage): string[] {
  return observed.problems.filter((problem) => !mayBeRejected || !problem.startsWith('Failed to load resource'));
}
