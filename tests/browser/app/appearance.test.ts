import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createGroupViaApi, insertAccounts, inviteUsers, registerUser } from '../../support/service/test-users.js';
import { findAccessibilityViolations } from '../axe.js';
import { describeInBrowser } from '../chromium.js';
import { heading, useApp } from './app-fixture.js';

const MARKUP = '<img src=x onerror="document.title=1">';
const LONG_WORD = 'Anunreasonablylongwordthatdoesnotfitintoasinglelineofanyphoneofthisworld';
const PHONE = { width: 390, height: 844 };

describeInBrowser('the pages of the web client', () => {
  const app = useApp();

  async function fits(page: Page): Promise<boolean> {
    await page.setViewportSize(PHONE);
    return page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  }

  it.each([
    ['/app', 'Log in'],
    ['/app/register', 'Create an account'],
  ])('have no accessibility violations without a session, and fit a phone: %s', async (path, title) => {
    const page = await app.open(path);
    await heading(page, title).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await expect(fits(page)).resolves.toBe(true);
  });

  it('have no accessibility violations with a session, and fit a phone', async () => {
    const [owner, guest] = await Promise.all([registerUser(app.service), registerUser(app.service)]);
    const groupId = await createGroupViaApi(owner, [guest], { name: LONG_WORD, description: LONG_WORD });
    const page = await app.openAs(owner);
    for (const [path, title] of [
      ['', 'Your groups'],
      ['/new-group', 'New group'],
      ['/account', 'Account'],
      [`/groups/${groupId}`, LONG_WORD],
      ['/nothing', 'There is nothing here'],
    ] as const) {
      await page.goto(`${app.service.url}/app${path}`);
      await heading(page, title).waitFor();
      await page.getByText('One moment').first().waitFor({ state: 'hidden' });
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await expect(fits(page)).resolves.toBe(true);
    }
  });

  it('show markup in names as text', async () => {
    const owner = await registerUser(app.service);
    await owner.data('mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }', {
      input: { displayName: MARKUP },
    });
    const groupId = await createGroupViaApi(owner, [], { name: MARKUP, description: MARKUP });
    const page = await app.openAs(owner);
    await page.getByRole('link', { name: MARKUP }).click();
    await heading(page, MARKUP).waitFor();
    await page.getByText(`${MARKUP} created the group.`).waitFor();
    await expect(page.title()).resolves.toBe(`${MARKUP} – Convene`);
    await expect(page.locator('img').count()).resolves.toBe(0);
    expect(page.url()).toContain(groupId);
  });

  it('say that there is no network, and load what was missed when it returns', async () => {
    const owner = await registerUser(app.service);
    const groupId = await createGroupViaApi(owner, [], { name: 'Choir' });
    const page = await app.openAs(owner, `/app/groups/${groupId}`, { mayBeRejected: true });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('button', { name: 'Perhaps' }).click();
    await page.getByText('The service could not be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Perhaps' }).click();
    await page.getByText(`${owner.username} answered: perhaps.`).waitFor();
    await expect(page.getByText('You are offline.').count()).resolves.toBe(0);
  });

  it('show another page of members when asked', async () => {
    const owner = await registerUser(app.service);
    const groupId = await createGroupViaApi(owner, [], { name: 'Choir' });
    await inviteUsers(owner, groupId, await insertAccounts(app.service, 60));
    const page = await app.openAs(owner, `/app/groups/${groupId}`);
    const members = page.locator('.members > li');
    await members.nth(49).waitFor();
    await expect(members.count()).resolves.toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await members.nth(60).waitFor();
  });
});
