import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { renameGroup } from '../support/http/test-subscription.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { createGroupViaApi, registerUser, type TestUser } from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';
import { describeInBrowser, launchChromium, observe } from './chromium.js';

/** A browser starts slowly on a busy machine. */

describeInBrowser('GraphiQL and the change feed', () => {
  let service: TestService;
  let browser: Browser;
  let owner: TestUser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startTestService({ settings: { GRAPHIQL: 'on', INTROSPECTION: 'on' } }),
      launchChromium(),
    ]);
    owner = await registerUser(service);
  });
  afterAll(async () => {
    await browser.close();
    await service.remove();
  });

  /** Replaces the content of the editor that shows `text`. The editor itself adds closing quotes and brackets. */
  async function type(page: Page, text: string, instead: string): Promise<void> {
    await page.getByText(text).first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(instead);
  }

  it('shows each change when it happens, until the subscription is stopped', async () => {
    const groupId = await createGroupViaApi(owner);
    const page = await browser.newPage();
    const observed = observe(page);
    await page.goto(`${service.url}/graphql`);
    await page.getByRole('tab').getByRole('button', { name: 'GroupChanged', exact: true }).click();
    await type(page, '"paste the id of a group"', `{"afterRevision": 0, "groupId": "${groupId}`);
    await page.getByRole('button', { name: 'Headers' }).click();
    await type(page, 'Bearer paste_the_access_token', `{"Authorization": "Bearer ${owner.token}`);
    await page.getByRole('button', { name: /^Execute query/ }).click();
    const answer = page.locator('.result-window');
    await answer.getByText('"CREATED"').waitFor();
    await renameGroup(owner, groupId, 'Breakfast');
    await answer.getByText('"RENAMED"').waitFor();
    expect(service.groups.changeFeed.subscriberCount).toBe(1);
    await page.getByRole('button', { name: /^Stop query/ }).click();
    await waitUntil('the end of the stream', () => service.groups.changeFeed.subscriberCount === 0);
    expect(observed.problems).toEqual([]);
    await page.close();
  });
});
