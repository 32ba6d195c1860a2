import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';
import { describeInBrowser } from '../chromium.js';
import { heading, logIn, section, useApp } from './app-fixture.js';

/** Between two reads of a tab, whose tokens are renewed every second. */
const READ_INTERVAL_MS = 250;
const SESSIONS = '{ me { sessions { id current } } }';
const REVOKE = 'mutation ($input: RevokeSessionInput!) { revokeSession(input: $input) { revokedSessions } }';

/** Fills the local storage to the last character. */
const FILL_STORAGE = `
  for (let size = 2 ** 22, count = 0; size >= 1; count++) {
    try { localStorage.setItem('filler' + count, 'x'.repeat(size)); } catch { size = Math.floor(size / 2); }
  }`;

interface Sessions {
  readonly me: { readonly sessions: readonly { readonly id: string; readonly current: boolean }[] };
}

/** Refresh operations that the page has sent. */
function countRefreshes(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.postData()?.includes('refreshToken":') === true) count++;
  });
  return () => count;
}

describeInBrowser('a session of the web client', () => {
  const app = useApp();

  async function sessionsOf(user: TestUser): Promise<Sessions['me']['sessions']> {
    return (await user.data<Sessions>(SESSIONS)).me.sessions;
  }

  async function revokeOthers(user: TestUser): Promise<void> {
    for (const { id, current } of await sessionsOf(user))
      if (!current) await user.data(REVOKE, { input: { sessionId: id } });
  }

  it('registers a user, who is then logged in', async () => {
    const page = await app.open('/app', { mayBeRejected: true });
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByText('At least 8 characters.').waitFor();
    await page.getByLabel('Username').fill('a b');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    const username = page.getByRole('textbox', { name: 'Username' });
    await page.getByText('Must be at least 8 characters.').waitFor();
    await page.locator('[name=username][aria-invalid=true]:focus').waitFor();
    await username.fill(`ada-${crypto.randomUUID().slice(0, 8)}`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('[name=password][type=text]').waitFor();
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Your groups').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app');
  });

  it('is not started by a wrong password, and then by the right one', async () => {
    const user = await registerUser(app.service);
    const page = await app.open('/app', { mayBeRejected: true });
    await logIn(page, user.username, 'not the password');
    await page.getByRole('alert').filter({ hasText: 'The username or the password is wrong.' }).waitFor();
    await logIn(page, user.username);
    await heading(page, 'Your groups').waitFor();
  });

  it('opens the page of the link after login', async () => {
    const user = await registerUser(app.service);
    const groupId = await createGroupViaApi(user, [], { name: 'Choir' });
    const page = await app.openAs(user, `/app/groups/${groupId}`);
    await heading(page, 'Choir').waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await heading(page, 'Account').waitFor();
    await page.goBack();
    await heading(page, 'Choir').waitFor();
  });

  it('survives a reload, with the access token in memory only', async () => {
    const user = await registerUser(app.service);
    const page = await app.openAs(user);
    await page.reload();
    await heading(page, 'Your groups').waitFor();
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored).toContain('cvr_');
    expect(stored).not.toContain('eyJ');
  });

  it('lasts until the page is closed when the local storage is full', async () => {
    const user = await registerUser(app.service);
    const page = await app.open('/app');
    await page.evaluate(FILL_STORAGE);
    await logIn(page, user.username);
    await heading(page, 'Your groups').waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await heading(page, 'Log in').waitFor();
    await waitUntil('the session is revoked', async () => (await sessionsOf(user)).length === 1);
  });

  it('ends in every tab with a logout', async () => {
    const user = await registerUser(app.service);
    const page = await app.openAs(user);
    const other = await page.context().newPage();
    await other.goto(`${app.service.url}/app`);
    await heading(other, 'Your groups').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await Promise.all([page, other].map((tab) => heading(tab, 'Log in').waitFor()));
    await waitUntil('the session is revoked', async () => (await sessionsOf(user)).length === 1);
    await expect(page.evaluate('localStorage.length')).resolves.toBe(0);
  });

  it('asks for a login after it was revoked elsewhere', async () => {
    const user = await registerUser(app.service);
    const groupId = await createGroupViaApi(user, [], { name: 'Choir' });
    const page = await app.openAs(user, `/app/groups/${groupId}`, { mayBeRejected: true });
    await page.getByText('Live', { exact: true }).waitFor();
    await revokeOthers(user);
    await page.getByText('Your session has ended. Please log in again.').waitFor();
    await logIn(page, user.username);
    await heading(page, 'Choir').waitFor();
  });

  it('lists the sessions, and ends another one', async () => {
    const user = await registerUser(app.service);
    const page = await app.openAs(user, '/app/account');
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: 'End it' }).click();
    await waitUntil('the session is revoked', async () => (await user.get('/api/auth/me')).status === 401);
    await page.getByRole('button', { name: 'End it' }).waitFor({ state: 'hidden' });
  });

  it('changes the password', async () => {
    const user = await registerUser(app.service);
    const page = await app.openAs(user, '/app/account', { mayBeRejected: true });
    const form = section(page, 'Password');
    await form.getByLabel('Current password').fill('wrong');
    await form.getByLabel('New password').fill('nine louder lanterns');
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.locator('.problem:not(:empty)').waitFor();
    await form.getByLabel('Current password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByText('Your password is changed.').waitFor();
    await page.reload();
    await heading(page, 'Account').waitFor();
  });

  describe('with access tokens that live for 2 s', () => {
    const brief = useApp({ ACCESS_TOKEN_TTL: '2s' });

    it('is refreshed by two tabs one after another', async () => {
      const user = await registerUser(brief.service);
      const page = await brief.openAs(user);
      const tabs = [page, await page.context().newPage(), await page.context().newPage()];
      const refreshes = tabs.map(countRefreshes);
      await Promise.all(tabs.map((tab) => tab.goto(`${brief.service.url}/app`)));
      await waitUntil('every tab has refreshed three times', async () => {
        await setTimeout(READ_INTERVAL_MS);
        await Promise.all(tabs.map((tab) => tab.evaluate(`dispatchEvent(new Event('online'))`)));
        return refreshes.every((count) => count() >= 3);
      });
      await Promise.all(tabs.map((tab) => heading(tab, 'Your groups').waitFor()));
    });

    it('keeps the change feed going', async () => {
      const user = await registerUser(brief.service);
      const groupId = await createGroupViaApi(user, [], { name: 'Choir' });
      const page = await brief.openAs(user, `/app/groups/${groupId}`, { mayBeRejected: true });
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('Connecting…').waitFor();
      await page.getByRole('button', { name: 'Decline' }).click();
      await page.getByText(`${user.username} declined.`).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    });
  });
});
