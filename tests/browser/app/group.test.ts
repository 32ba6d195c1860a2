import { expect, it } from '@jest/globals';
import { createGroupViaApi, registerUser } from '../../support/service/test-users.js';
import { describeInBrowser } from '../chromium.js';
import { heading, useApp } from './app-fixture.js';

describeInBrowser('a group in the web client', () => {
  const app = useApp();

  it('shows an answer in a second browser when it is given', async () => {
    const [owner, guest] = await Promise.all([registerUser(app.service), registerUser(app.service)]);
    await createGroupViaApi(owner, [guest], { name: 'Choir weekend' });
    const [ownerPage, guestPage] = await Promise.all([app.openAs(owner), app.openAs(guest)]);
    for (const page of [ownerPage, guestPage]) {
      await page.getByRole('link', { name: 'Choir weekend' }).click();
      await heading(page, 'Choir weekend').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    }
    await guestPage.getByRole('button', { name: 'Accept', exact: true }).click();
    await guestPage.getByRole('button', { name: 'Accept', exact: true, pressed: true }).waitFor();
    await ownerPage.getByText(`${guest.username} accepted. The group is now: Confirmed.`).waitFor();
    await ownerPage.getByText('2 of 2 needed').waitFor();
    const row = ownerPage.getByRole('listitem').filter({ hasText: guest.username }).first();
    await row.getByText('Accepted', { exact: true }).waitFor();
    expect(new URL(ownerPage.url()).pathname).toMatch(/^\/app\/groups\/[\da-f-]{36}$/);
  });
});
