import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { loadExamples, nameOf } from '../web/load-examples.js';
import { findAccessibilityViolations } from './axe.js';
import { describeInBrowser, observe } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** GraphiQL puts the buttons that select and close a tab into the element with the role `tab`. */
const KNOWN_VIOLATION = 'nested-interactive (serious): Interactive controls must not be nested; .graphiql-tab:';
/** Parts that a visitor needs, by selector. */
const CONTROLS = [
  '#open-examples',
  '#open-login',
  '.graphiql-sidebar > button',
  '.graphiql-tab-add',
  '.graphiql-query-editor',
  '.graphiql-execute-button',
  '.graphiql-editor-tools > button',
  '.graphiql-response',
];

/** Opens each example of the menu. Returns the names of the tabs with the texts of their editors. */
const OPEN_ALL = `(async () => {
  const textOf = (file) => monaco.editor.getModels().find(({ uri }) => uri.path.endsWith(file)).getValue();
  const opened = [];
  for (const button of document.querySelectorAll('#example-list button')) {
    document.querySelector('#open-examples').click();
    button.click();
    // The editor reports a changed text to the tab after a delay.
    let name;
    do {
      await new Promise(requestAnimationFrame);
      name = document.querySelector('.graphiql-tab-active .graphiql-tab-button').textContent;
    } while (name !== button.querySelector('strong').textContent);
    const variables = JSON.parse(textOf('variables.json') || 'null');
    opened.push({ name, query: textOf('operation.graphql'), variables });
  }
  return opened;
})()`;

describeInBrowser('GraphiQL', () => {
  let browser: Browser;
  let service: TestService;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startTestService({ hasher: FAKE_HASHER, settings: { GRAPHIQL: 'on', INTROSPECTION: 'on' } }),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await service.remove();
  });

  async function withGraphiql(look: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const { requests, problems } = observe(page);
    await page.goto(`${service.url}/graphql`);
    await page.getByRole('tab', { name: 'Welcome' }).waitFor();
    await look(page);
    await context.close();
    expect(requests.filter((request) => !request.includes(` ${service.url}/`) && !request.includes(' data:'))).toEqual(
      [],
    );
    expect(problems).toEqual([]);
  }

  it('opens every example in a tab, with its variables', () =>
    withGraphiql(async (page) => {
      const [, ...examples] = await loadExamples();
      const opened = await page.evaluate<object[]>(OPEN_ALL);
      expect(opened).toEqual(
        examples.map((example) => ({
          name: nameOf(example),
          query: example.query,
          variables: example.variables ?? null,
        })),
      );
      expect(await page.getByRole('tab').count()).toBe(examples.length + 1);
    }));

  it('finds examples by words of their name and description', () =>
    withGraphiql(async (page) => {
      await page.getByRole('button', { name: 'Examples' }).click();
      await page.getByLabel('Find an example').fill('mails link PASSWORD');
      await expect(page.locator('#example-list li:visible strong').allInnerTexts()).resolves.toEqual([
        'RequestPasswordReset',
      ]);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.locator('#examples').waitFor({ state: 'hidden' });
    }));

  it('has no violations of axe-core, except in the tabs of GraphiQL', () =>
    withGraphiql(async (page) => {
      const found = await findAccessibilityViolations(page);
      expect(found.filter((violation) => !violation.includes(KNOWN_VIOLATION))).toEqual([]);
      expect(found).not.toEqual([]);
    }));

  it.each(['#open-login', '#open-examples'])('has no violations of axe-core in the dialog of %s', (button) =>
    withGraphiql(async (page) => {
      await page.locator(button).click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  describe('on a phone', () => {
    it('shows every control in the width of the window', () =>
      withGraphiql(async (page) => {
        await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(390);
        for (const selector of CONTROLS) {
          await page.locator(selector).first().waitFor();
          const boxes = await Promise.all((await page.locator(selector).all()).map((each) => each.boundingBox()));
          const isInside = boxes.every((box) => box !== null && box.x >= 0 && box.x + box.width <= 390);
          expect({ selector, isInside }).toEqual({ selector, isInside: true });
        }
      }, PHONE));

    it('runs an operation, shows its result, and opens the documentation', () =>
      withGraphiql(async (page) => {
        await page.locator('.graphiql-execute-button').tap();
        await page.locator('.result-window').getByText('"Query"').waitFor();
        expect((await page.locator('.result-window').boundingBox())?.y).toBeLessThan(700);
        await page.getByRole('button', { name: 'Show Documentation Explorer' }).tap();
        await page.locator('.graphiql-plugin').getByRole('link', { name: 'Mutation' }).tap();
        await page.locator('.graphiql-plugin').getByText('createGroup').first().waitFor();
      }, PHONE));
  });
});
