import { expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { GroupMembersDocument } from '../../../src/web/generated/operations.js';
import { respondToGroup } from '../../support/http/test-subscription.js';
import { createGroupViaApi, insertAccounts, inviteUsers, registerUser } from '../../support/service/test-users.js';
import { findAccessibilityViolations } from '../axe.js';
import { describeInBrowser } from '../chromium.js';
import { heading, section, useApp } from './app-fixture.js';

const MARKUP = '<img src=x onerror="document.title=1">';
const LONG_WORD = 'Anunreasonablylongwordthatdoesnotfitintoasinglelineofanyphoneofthisworld';
const PHONE = { width: 390, height: 844 };

/** Keeps the text of every alert that the page shows from now on in the global variable `alerts`. */
const RECORD_ALERTS = `
  globalThis.alerts = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('[role=alert]')) if (textContent) alerts.push(textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true })`;

const readsMembers = (request: Request) =>
  request.postData()?.includes(String(GroupMembersDocument.__meta__?.documentId)) === true;

/** Holds the requests that read members. The returned function fails them, and later ones, as without a network. */
async function holdReadsOfMembers(page: Page): Promise<() => void> {
  const { promise: isLost, resolve } = Promise.withResolvers<true>();
  await page.route(
    (url) => url.pathname === '/graphql',
    async (route) => {
      if (!readsMembers(route.request())) return route.fallback();
      await isLost;
      return route.abort('internetdisconnected');
    },
  );
  return () => {
    resolve(true);
  };
}

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
    const answer = section(page, 'Your answer');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await answer.getByRole('button', { name: 'Perhaps' }).click();
    await answer.getByRole('alert').filter({ hasText: 'The service could not be reached.' }).waitFor();
    await page.context().setOffline(false);
    await answer.getByRole('button', { name: 'Perhaps' }).click();
    await page.getByText(`${owner.username} answered: perhaps.`).waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'hidden' });
  });

  it('show no alert when the network is lost while a list is read again, and read it when it returns', async () => {
    const [owner, guest] = await Promise.all([registerUser(app.service), registerUser(app.service)]);
    const groupId = await createGroupViaApi(owner, [guest], { name: 'Choir' });
    const page = await app.openAs(owner, `/app/groups/${groupId}`, { mayBeRejected: true });
    const badge = page.locator('.members > li').filter({ hasText: guest.username }).locator('.badge');
    await badge.filter({ hasText: 'No answer' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(RECORD_ALERTS);
    const loseNetwork = await holdReadsOfMembers(page);
    await Promise.all([page.waitForRequest(readsMembers), respondToGroup(guest, groupId, 'ACCEPTED')]);
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    const failed = page.waitForEvent('requestfailed', readsMembers);
    loseNetwork();
    await failed;
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().setOffline(false);
    await badge.filter({ hasText: 'Accepted' }).waitFor();
    await expect(page.evaluate('alerts')).resolves.toEqual([]);
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
