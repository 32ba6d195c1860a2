import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { uniqueEmail } from '../support/groups/invitation-fixture.js';
import { describeWith } from '../support/processes/installed-programs.js';
import { RecordingMailer } from '../support/recording-mailer.js';
import { startBehindNginx, type PathMode, type ServiceBehindNginx } from '../support/service/service-behind-nginx.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { createGroupViaApi, PASSWORD, registerUser } from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';
import { describeInBrowser, observe } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

const MODES: readonly PathMode[] = ['keeps', 'removes'];
const INVITE = 'mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { group { id } } }';

describeInBrowser('the pages under a base path', () => {
  describeWith(['nginx'], 'behind nginx', () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser.close());

    describe.each(MODES)('that %s it', (mode) => {
      const mailer = new RecordingMailer();
      let service: ServiceBehindNginx;

      beforeAll(async () => {
        service = await startBehindNginx(mode, { mailer, hasher: FAKE_HASHER });
      });
      afterAll(() => service.remove());

      /** Requires that the page requests paths below the base path only, and has no errors. */
      async function withPage(url: string, work: (page: Page) => Promise<void>): Promise<void> {
        const context = await browser.newContext();
        const page = await context.newPage();
        const { requests, problems } = observe(page);
        await page.goto(url);
        await work(page);
        await context.close();
        const isInside = (request: string) => request.includes(` ${service.url}/`) || request.includes(' data:');
        expect(requests.filter((request) => !isInside(request))).toEqual([]);
        expect(problems).toEqual([]);
      }

      async function inviteByMail(address: string): Promise<string> {
        const owner = await registerUser(service);
        await service.database.pool.query(
          'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
          [owner.id, uniqueEmail()],
        );
        const groupId = await createGroupViaApi(owner);
        await owner.data(INVITE, { input: { groupId, invitees: [{ email: address }] } });
        await waitUntil('the mail is sent', () => mailer.sent.some(({ to }) => to === address));
        return /https?:\/\/\S+/.exec(mailer.sent.find(({ to }) => to === address)?.text ?? '')?.[0] ?? '';
      }

      it('run an operation in GraphiQL', () =>
        withPage(`${service.url}/graphql`, async (page) => {
          await page.getByRole('tab').first().waitFor();
          const answered = page.waitForResponse(
            (response) => response.request().postData()?.includes('query Welcome') === true,
          );
          await page.getByRole('button', { name: /^Execute query/ }).click();
          expect(await (await answered).json()).toHaveProperty('data');
        }));

      it('open a mailed invitation, take the place, and lead to the group in the web client', async () => {
        const link = await inviteByMail(uniqueEmail());
        await withPage(link, async (page) => {
          await page.locator('#new-username').fill('grace');
          await page.locator('#new-password').fill(PASSWORD);
          await page.getByRole('button', { name: 'Register and take the place' }).click();
          await page.getByRole('heading', { name: 'Supper club' }).waitFor();
          expect(page.url()).toMatch(new RegExp(`^${service.url}/app/groups/[\\da-f-]{36}$`));
          await page.getByText('Live', { exact: true }).waitFor();
          await page.reload();
          await page.getByRole('button', { name: 'Accept', exact: true }).click();
          await page.getByText('2 of 2 needed').waitFor();
          await page.getByRole('link', { name: 'Groups' }).click();
          await page.getByRole('link', { name: 'Supper club' }).waitFor();
          expect(page.url()).toBe(`${service.url}/app`);
        });
      });
    });
  });
});
