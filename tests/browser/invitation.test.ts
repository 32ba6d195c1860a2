import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { uniqueEmail } from '../support/groups/invitation-fixture.js';
import { RecordingMailer } from '../support/recording-mailer.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';
import { findAccessibilityViolations } from './axe.js';
import { describeInBrowser, observe } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

const INVITE =
  'mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { results { invitation { id } } } }';
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describeInBrowser('the invitation page', () => {
  const mailer = new RecordingMailer();
  const urls: string[] = [];
  let service: TestService;
  let browser: Browser;
  let owner: TestUser;

  beforeAll(async () => {
    // Mails lead to the front end, and the page does not lead on into the web client.
    const settings = { FRONTEND_URL: 'https://front.example' };
    service = await startTestService({ mailer, hasher: FAKE_HASHER, settings });
    owner = await registerUser(service);
    await service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [owner.id, uniqueEmail()],
    );
    browser = await launchChromium();
  });
  afterEach(() => {
    urls.length = 0;
  });
  afterAll(async () => {
    await browser.close();
    await service.remove();
  });

  async function linked(name = 'Choir') {
    const groupId = await createGroupViaApi(owner, [], { name });
    const address = uniqueEmail();
    const { inviteToGroup } = await owner.data<{ inviteToGroup: { results: { invitation: { id: string } }[] } }>(
      INVITE,
      { input: { groupId, invitees: [{ email: address }] } },
    );
    await waitUntil('the mail is out', () => mailer.sent.some(({ to }) => to === address));
    return {
      groupId,
      address,
      secret: mailer.secretTo(address),
      invitationId: inviteToGroup.results[0]?.invitation.id ?? '',
    };
  }

  async function invitationStatus(id: string): Promise<string> {
    const { rows } = await service.database.pool.query<{ status: string }>(
      'select status from invitation where id = $1',
      [id],
    );
    return rows[0]?.status ?? 'gone';
  }

  async function memberStatuses(groupId: string): Promise<string[]> {
    const { rows } = await service.database.pool.query<{ status: string }>(
      'select status from member where group_id = $1 order by invited_at',
      [groupId],
    );
    return rows.map(({ status }) => status);
  }

  /** @param options.rejections expected number of rejected requests */
  async function withPage(
    secret: string,
    work: (page: Page) => Promise<void>,
    { rejections = 0, ...options }: BrowserContextOptions & { rejections?: number } = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const observed = observe(page);
    page.on('request', (request) => urls.push(request.url()));
    await page.goto(`${service.url}/invitation${secret === '' ? '' : `#secret=${secret}`}`);
    await work(page);
    await context.close();
    expect(
      observed.requests.filter((request) => !request.includes(` ${service.url}/`) && !request.includes(' data:')),
    ).toEqual([]);
    expect(observed.problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
    expect(observed.problems.length).toBeLessThanOrEqual(rejections);
    // The fragment is not part of a request line, unlike a query string.
    if (secret !== '') expect(urls.filter((url) => url.split('#')[0]?.includes(secret))).toEqual([]);
  }

  const outcome = (page: Page) => page.getByRole('status');
  const answerButton = (page: Page) => page.getByRole('button', { name: 'Log in and answer' });
  const registerButton = (page: Page) => page.getByRole('button', { name: 'Register and take the place' });

  const haveAccount = (page: Page) => page.getByRole('button', { name: 'I have an account' });
  const amNew = (page: Page) => page.getByRole('button', { name: 'I am new here' });

  async function logIn(page: Page, { username }: Pick<TestUser, 'username'>, password = PASSWORD): Promise<void> {
    await haveAccount(page).click();
    await page.locator('#claim-username').fill(username);
    await page.locator('#claim-password').fill(password);
    await answerButton(page).click();
  }

  it('shows the inviter and the group, and changes nothing when it is opened or reloaded', async () => {
    const { secret, invitationId, groupId } = await linked('Choir <b>of</b> Söhne');
    await withPage(secret, async (page) => {
      await page.getByText(`${owner.username} invites you to Choir <b>of</b> Söhne.`).waitFor();
      await page.reload();
      await page.getByText('The invitation is open until').waitFor();
    });
    expect(await invitationStatus(invitationId)).toBe('OPEN');
    expect(await memberStatuses(groupId)).toEqual(['ACCEPTED']);
  });

  it.each([
    ['Accept', 'ACCEPTED', 'You have accepted'],
    ['Perhaps', 'TENTATIVE', 'You may take part'],
    ['Decline', 'DECLINED', 'You have declined'],
    ['Answer later', 'PENDING', 'your answer is still open'],
  ])('records the response "%s" after login, then forgets secret and session', async (label, status, sentence) => {
    const { secret, groupId } = await linked();
    const guest = await registerUser(service);
    await withPage(secret, async (page) => {
      await haveAccount(page).click();
      await page.getByLabel(label).check();
      await logIn(page, guest);
      await outcome(page).filter({ hasText: sentence }).waitFor();
      expect(page.url()).toBe(`${service.url}/invitation`);
      await page.getByRole('link', { name: 'Convene' }).last().waitFor();
      await expect(answerButton(page).isVisible()).resolves.toBe(false);
      expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe(
        '[{},{},""]',
      );
    });
    expect(await memberStatuses(groupId)).toEqual(['ACCEPTED', status]);
    // The session of `registerUser` remains.
    await waitUntil(
      'the session has ended',
      async () =>
        (await guest.data<{ me: { sessions: unknown[] } }>('{ me { sessions { id } } }')).me.sessions.length === 1,
    );
  });

  it('registers a new user as a member with a verified address', async () => {
    const { secret, groupId, address } = await linked();
    const username = `new-${crypto.randomUUID().slice(0, 8)}`;
    await withPage(secret, async (page) => {
      await page.locator('#new-username').fill(username);
      await page.locator('#new-password').fill(PASSWORD);
      await page.getByLabel('Email (optional)').fill(address);
      await registerButton(page).click();
      await outcome(page)
        .filter({ hasText: `Welcome, ${username}.` })
        .waitFor();
      expect(page.url()).toBe(`${service.url}/invitation`);
    });
    await waitUntil('the place is theirs', async () => (await memberStatuses(groupId)).length === 2);
    const { rows } = await service.database.pool.query(
      'select email_verified_at is not null as verified from account where username = $1',
      [username],
    );
    expect(rows).toEqual([{ verified: true }]);
  });

  it('sends nothing without a choice, a username and a password', async () => {
    const { secret, invitationId } = await linked();
    await withPage(secret, async (page) => {
      await registerButton(page).click();
      await page.locator('#new-username:invalid').waitFor();
      await haveAccount(page).click();
      await page.locator('#claim-username').fill('ada');
      await page.locator('#claim-password').fill('something');
      await page.keyboard.press('Enter');
      await page.locator('input[name=status]:invalid').first().waitFor();
    });
    expect(await invitationStatus(invitationId)).toBe('OPEN');
  });

  it('names the invalid field, and keeps the link for another attempt', async () => {
    const { secret, groupId } = await linked();
    const guest = await registerUser(service);
    await withPage(
      secret,
      async (page) => {
        await haveAccount(page).click();
        await page.getByLabel('Accept').check();
        await logIn(page, guest, 'not the password');
        await page.locator('#outcome.problem:focus').waitFor();
        await amNew(page).click();
        await page.locator('#new-username').fill('a b');
        await page.locator('#new-password').fill(PASSWORD);
        await registerButton(page).click();
        await outcome(page).filter({ hasText: 'Username must' }).waitFor();
        expect(page.url()).toContain(secret);
        await logIn(page, guest);
        await outcome(page).filter({ hasText: 'You have accepted' }).waitFor();
      },
      { rejections: 2 },
    );
    expect(await memberStatuses(groupId)).toEqual(['ACCEPTED', 'ACCEPTED']);
  });

  it('shows no forms for an invalid or incomplete link', async () => {
    const { secret } = await linked();
    const guest = await registerUser(service);
    await guest.data(
      'mutation ($input: ClaimInvitationInput!) { claimInvitation(input: $input) { member { status } } }',
      { input: { secret } },
    );
    await withPage(
      secret,
      async (page) => {
        await outcome(page).filter({ hasText: 'There is no such invitation.' }).waitFor();
        await page.getByRole('heading', { name: 'This invitation is not open' }).waitFor();
        await expect(answerButton(page).isVisible()).resolves.toBe(false);
        await expect(page.getByText('You are invited').count()).resolves.toBe(0);
        await expect(page.title()).resolves.toBe('This invitation is not open – Convene');
      },
      { rejections: 1 },
    );
    await withPage('', async (page) => {
      await outcome(page).filter({ hasText: 'This link is incomplete.' }).waitFor();
      await page.getByRole('heading', { name: 'This invitation is not open' }).waitFor();
      await expect(registerButton(page).isVisible()).resolves.toBe(false);
    });
  });

  it.each([
    ['a phone', { width: 390, height: 844 }],
    ['a laptop', { width: 1280, height: 720 }],
  ])('shows the ways to register and to log in without scrolling on %s', async (_device, viewport) => {
    const { secret } = await linked('A choir with a name that needs more than a line on a phone');
    await withPage(
      secret,
      async (page) => {
        await registerButton(page).waitFor();
        expect(await bottomOf(registerButton(page))).toBeLessThanOrEqual(viewport.height);
        await haveAccount(page).click();
        expect(await bottomOf(answerButton(page))).toBeLessThanOrEqual(viewport.height);
      },
      { viewport },
    );
  });

  async function bottomOf(locator: Locator): Promise<number> {
    const box = await locator.boundingBox();
    return box === null ? Infinity : box.y + box.height;
  }

  it('shows the rules for a password before they are broken, and the password when asked', async () => {
    const { secret } = await linked();
    await withPage(secret, async (page) => {
      await page.getByText('At least 8 characters.').waitFor();
      await page.locator('#new-password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page.locator('#new-password').getAttribute('type')).resolves.toBe('text');
      await page.getByRole('button', { name: 'Hide' }).click();
      await expect(page.locator('#new-password').getAttribute('type')).resolves.toBe('password');
    });
  });

  it('has no accessibility violations, with either form', async () => {
    const { secret } = await linked();
    await withPage(secret, async (page) => {
      await registerButton(page).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await haveAccount(page).click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('fits the width of a phone, with controls large enough to touch', async () => {
    const { secret } = await linked(
      'A group with quite a long name, and AnUnreasonablyLongWordThatWouldNotFitOnAPhoneInOneLineAtAll',
    );
    await withPage(
      secret,
      async (page) => {
        await haveAccount(page).click();
        await answerButton(page).waitFor();
        await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(360);
        const heights = await page
          .locator('button:visible, .choice:visible, input:not([type=radio]):visible')
          .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().height));
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
      },
      PHONE,
    );
  });

  it('states without JavaScript that it needs it, and shows no control without effect', async () => {
    const { secret } = await linked();
    await withPage(
      secret,
      async (page) => {
        await page.locator('noscript p').waitFor();
        await expect(answerButton(page).isVisible()).resolves.toBe(false);
      },
      { javaScriptEnabled: false },
    );
  });
});
