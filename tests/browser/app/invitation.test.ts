import { beforeAll, expect, it } from '@jest/globals';
import { uniqueEmail } from '../../support/groups/invitation-fixture.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';
import { describeInBrowser } from '../chromium.js';
import { heading, useApp } from './app-fixture.js';

const INVITE = 'mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { group { id } } }';

describeInBrowser('a mailed invitation and the web client', () => {
  const app = useApp();
  let owner: TestUser;

  beforeAll(async () => {
    owner = await registerUser(app.service);
    await app.service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [owner.id, uniqueEmail()],
    );
  });

  /** Returns the path of the mailed link with its fragment. */
  async function invite(groupId: string, address = uniqueEmail()): Promise<string> {
    await owner.data(INVITE, { input: { groupId, invitees: [{ email: address }] } });
    await waitUntil('the mail is sent', () => app.mailer.sent.some(({ to }) => to === address));
    const link = /https?:\/\/\S+/.exec(app.mailer.sent.find(({ to }) => to === address)?.text ?? '')?.[0] ?? '';
    const { pathname, hash } = new URL(link);
    return pathname + hash;
  }

  it('leads a new person from the mail to an answer that the inviter sees when it is given', async () => {
    const groupId = await createGroupViaApi(owner, [], { name: 'Choir weekend' });
    const ownerPage = await app.openAs(owner, `/app/groups/${groupId}`);
    await ownerPage.getByText('Live', { exact: true }).waitFor();
    const page = await app.open(await invite(groupId));
    await heading(page, 'You are invited').waitFor();
    const username = `new-${crypto.randomUUID().slice(0, 8)}`;
    await page.locator('#new-username').fill(username);
    await page.locator('#new-password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Register and take the place' }).click();
    await heading(page, 'Choir weekend').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/groups/${groupId}`);
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await ownerPage.getByText(`${username} accepted. The group is now: Confirmed.`).waitFor();
  });

  it('leads a user who logs in to the group', async () => {
    const groupId = await createGroupViaApi(owner, [], { name: 'Supper' });
    const guest = await registerUser(app.service);
    const page = await app.open(await invite(groupId));
    await page.getByRole('button', { name: 'I have an account' }).click();
    await page.getByLabel('Username or email').fill(guest.username);
    await page.locator('#claim-password').fill(PASSWORD);
    await page.getByLabel('Perhaps').check();
    await page.getByRole('button', { name: 'Log in and answer' }).click();
    await heading(page, 'Supper').waitFor();
    await page.getByRole('button', { name: 'Perhaps', pressed: true }).waitFor();
  });

  it('asks a user who is logged in for the answer only', async () => {
    const groupId = await createGroupViaApi(owner, [], { name: 'Sailing' });
    const guest = await registerUser(app.service);
    const page = await app.openAs(guest);
    await page.goto(app.service.url + (await invite(groupId)));
    await page.getByText(`You are logged in as ${guest.username}.`).waitFor();
    await expect(page.getByLabel('Password', { exact: true }).first().isVisible()).resolves.toBe(false);
    await page.getByLabel('Accept').check();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await heading(page, 'Sailing').waitFor();
    await page.getByRole('button', { name: 'Accept', exact: true, pressed: true }).waitFor();
  });

  it('lists an invitation to the confirmed address of a user, who declines it', async () => {
    const groupId = await createGroupViaApi(owner, [], { name: 'Hiking' });
    const guest = await registerUser(app.service);
    const address = uniqueEmail();
    await app.service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [guest.id, address],
    );
    await invite(groupId, address);
    const page = await app.openAs(guest);
    const item = page.getByRole('listitem').filter({ hasText: 'Hiking' });
    await item.getByRole('button', { name: 'Decline' }).click();
    await item.getByText('Your answer: Declined').waitFor();
    await page.getByRole('heading', { name: 'Invitations' }).waitFor({ state: 'hidden' });
  });
});
