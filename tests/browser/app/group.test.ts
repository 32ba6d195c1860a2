import { expect, it } from '@jest/globals';
import { createGroupViaApi, registerUser } from '../../support/service/test-users.js';
import { describeInBrowser } from '../chromium.js';
import { heading, useApp } from './app-fixture.js';

describeInBrowser('a group in the web client', () => {
  const app = useApp();

  it('shows an answer in a second browser when it is given', async () => {
    const [owner, guest] = await Promise.all([registerUser(app.service), registerUser(app.service)]);
    const groupId = await createGroupViaApi(owner, [guest], { name: 'Choir weekend' });
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
    const row = ownerPage.locator('.members > li').filter({ hasText: guest.username });
    await row.getByText('Accepted', { exact: true }).waitFor();
    await guest.data('mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { changed } }', {
      input: { groupId, userId: guest.id, status: 'TENTATIVE' },
    });
    await guestPage.getByRole('button', { name: 'Perhaps', pressed: true }).waitFor();
    expect(new URL(ownerPage.url()).pathname).toMatch(/^\/app\/groups\/[\da-f-]{36}$/);
  });

  it('is created, gets invitations, and is cancelled', async () => {
    const [owner, guest] = await Promise.all([registerUser(app.service), registerUser(app.service)]);
    const page = await app.openAs(owner);
    await page.getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Name').fill('Sailing');
    await page.getByLabel('How many must accept').fill('2');
    await page.getByRole('button', { name: 'Create group' }).click();
    await heading(page, 'Sailing').waitFor();
    await page.getByLabel('Usernames or email addresses').fill(`${guest.username}, unknown-name`);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText(`${guest.username} is invited.`).waitFor();
    await page.getByText('unknown-name is not known here.').waitFor();
    await page.locator('.members').getByText(guest.username).waitFor();
    await page.getByRole('button', { name: 'Cancel the group' }).click();
    await page.getByRole('button', { name: 'Cancel it for good' }).click();
    await page.getByText('An owner cancelled it.').waitFor();
    await expect(page.getByRole('button', { name: 'Invite' }).count()).resolves.toBe(0);
  });

  it('is left, and a member who was removed sees it no longer', async () => {
    const [owner, guest] = await Promise.all([registerUser(app.service), registerUser(app.service)]);
    const left = await createGroupViaApi(owner, [guest], { name: 'Left' });
    const lost = await createGroupViaApi(owner, [guest], { name: 'Lost' });
    const page = await app.openAs(guest, `/app/groups/${left}`, { mayBeRejected: true });
    await page.getByRole('button', { name: 'Leave the group' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await heading(page, 'Your groups').waitFor();
    await page.getByRole('link', { name: 'Lost' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await owner.data('mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { group { id } } }', {
      input: { groupId: lost, userId: guest.id },
    });
    await heading(page, 'There is no such group').waitFor();
  });

  it('says so when the last owner cannot leave', async () => {
    const owner = await registerUser(app.service);
    const groupId = await createGroupViaApi(owner);
    const page = await app.openAs(owner, `/app/groups/${groupId}`, { mayBeRejected: true });
    await page.getByRole('button', { name: 'Leave the group' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'A group always keeps an owner.' }).waitFor();
  });
});
