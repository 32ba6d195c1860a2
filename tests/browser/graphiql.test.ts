import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { renameGroup } from '../support/http/test-subscription.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type ServiceOptions, type TestService } from '../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';
import { describeInBrowser, observe, type Observed } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

const TTL_MS = 2_000;
/** A busy machine takes ten times as long. */
const PATIENCE_MS = 60_000;

/** Everything that a page can leave in the browser. */
const STORED = `(async () => ({
  local: { ...localStorage },
  session: { ...sessionStorage },
  databases: (await indexedDB.databases()).map(({ name }) => name),
  caches: await caches.keys(),
  cookie: document.cookie,
  url: location.href,
}))()`;

let browser: Browser;
let service: TestService;
let context: BrowserContext;
let page: Page;
let observed: Observed;
/** Bodies of the requests to GraphQL, with their tokens. */
const sent: { readonly body: string; readonly authorization: string | undefined }[] = [];

function startService(settings: ServiceOptions['settings'] = {}): Promise<TestService> {
  return startTestService({ hasher: FAKE_HASHER, settings: { GRAPHIQL: 'on', INTROSPECTION: 'on', ...settings } });
}

async function openGraphiql(): Promise<void> {
  context = await browser.newContext();
  page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  observed = observe(page);
  sent.length = 0;
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    sent.push({ body: request.postData() ?? '', authorization: request.headers().authorization });
  });
  await page.goto(`${service.url}/graphql`);
  await page.getByRole('tab', { name: 'Welcome' }).waitFor();
}

async function openExample(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('button', { name: new RegExp(`^${name} (query|mutation|subscription)`) }).click();
  await tab(name).waitFor();
}

const tab = (name: string) => page.getByRole('tab').getByRole('button', { name, exact: true });
const execute = () => page.getByRole('button', { name: /^Execute query/ }).click();
const result = (text: string | RegExp) => page.locator('.result-window').getByText(text).first().waitFor();
/** Repeats the click: GraphiQL uses the operation name of the former tab until it has parsed the document. */
const executeUntil = (text: string) =>
  waitUntil(`the result contains ${text}`, async () => {
    await execute();
    const found = page.locator('.result-window').getByText(text).first();
    return found.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  });
const account = () => page.locator('#account').innerText();

async function logIn(username: string, password = PASSWORD): Promise<void> {
  await page.locator('#open-login').click();
  await page.getByLabel('Username or email address').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('#login').getByRole('button', { name: 'Log in' }).click();
}

async function logInAs(username: string): Promise<void> {
  await logIn(username);
  await page.getByText(`Signed in as ${username}`).waitFor();
}

async function sessionCount(user: TestUser): Promise<number> {
  const { me } = await user.data<{ me: { sessions: unknown[] } }>('{ me { sessions { id } } }');
  return me.sessions.length;
}

/** Requests with a refresh token, of which the others log out. */
const renewalCount = () => sent.filter(({ body }) => body.includes('"refreshToken":')).length;

describeInBrowser('GraphiQL', () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(() => context.close());
  afterAll(() => browser.close());

  describe.each(['yoga', 'apollo'])('on %s', (engine) => {
    beforeAll(async () => {
      service = await startService({ GRAPHQL_ENGINE: engine });
    });
    afterAll(() => service.remove());

    it('sends the token of one login with the operations of every tab, until the user logs out', async () => {
      const user = await registerUser(service);
      const { username } = user;
      await openGraphiql();
      await execute();
      await result('"Query"');
      expect(sent.map(({ authorization }) => authorization)).toEqual(sent.map(() => undefined));
      await openExample('Me');
      await openExample('CreateGroup');
      await logInAs(username);
      await execute();
      await result('"FORMING"');
      await tab('Me').click();
      await executeUntil(`"${username}"`);
      expect(await sessionCount(user)).toBe(2);
      await page.getByRole('button', { name: 'Log out' }).click();
      await waitUntil('the session is revoked', async () => (await sessionCount(user)) === 1);
      await execute();
      await result('"TOKEN_MISSING"');
      expect(await account()).toBe('Not logged in');
      expect(observed.problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    });

    it('shows each change of a group when it happens, until the subscription is stopped', async () => {
      const owner = await registerUser(service);
      const groupId = await createGroupViaApi(owner);
      await openGraphiql();
      await logInAs(owner.username);
      await openExample('GroupChanged');
      await page.getByText(groupId).waitFor();
      await execute();
      await result('"CREATED"');
      await renameGroup(owner, groupId, 'Breakfast');
      await result('"RENAMED"');
      expect(service.groups.changeFeed.subscriberCount).toBe(1);
      await page.getByRole('button', { name: /^Stop query/ }).click();
      await waitUntil('the end of the stream', () => service.groups.changeFeed.subscriberCount === 0);
      expect(observed.problems).toEqual([]);
    });
  });

  describe('with tokens that expire soon', () => {
    beforeAll(async () => {
      service = await startService({ ACCESS_TOKEN_TTL: `${String(TTL_MS / 1_000)}s` });
    });
    afterAll(() => service.remove());

    it('renews an expired token once for requests that are sent at the same time', async () => {
      const { username } = await registerUser(service);
      await openGraphiql();
      await logInAs(username);
      await page.waitForTimeout(TTL_MS);
      const statuses = await page.evaluate(() =>
        Promise.all(
          [1, 2, 3].map(async () => {
            const init = {
              method: 'POST',
              headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
              body: '{"query": "{ me { id } }"}',
            };
            return (await fetch('/graphql', init)).status;
          }),
        ),
      );
      expect(statuses).toEqual([200, 200, 200]);
      expect(renewalCount()).toBe(1);
      expect(observed.problems).toEqual([]);
    });
  });

  describe('and its login', () => {
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service.remove());

    it('stores no password and no token in the browser', async () => {
      await openGraphiql();
      await openExample('Register');
      await execute();
      await result('"followUps"');
      await logInAs('ada');
      await openExample('IssueToken');
      await execute();
      await result('"accessToken"');
      // GraphiQL stores after a delay of 500 ms.
      await page.waitForTimeout(1_000);
      expect(await page.evaluate(STORED)).toEqual({
        local: {},
        session: {},
        databases: [],
        caches: [],
        cookie: '',
        url: `${service.url}/graphql`,
      });
    });

    it('removes entries that an earlier version of the page stored', async () => {
      await openGraphiql();
      await page.evaluate(`localStorage.setItem('graphiql:tabState', 'secret'); localStorage.setItem('other', 'kept')`);
      await page.reload();
      await page.getByRole('tab', { name: 'Welcome' }).waitFor();
      expect(await page.evaluate('({ ...localStorage })')).toEqual({ other: 'kept' });
    });

    it('renews a token that the service rejects, and says when the session has ended', async () => {
      const user = await registerUser(service);
      await openGraphiql();
      await logInAs(user.username);
      await openExample('Me');
      const rejection = { errors: [{ message: 'The token has expired.', extensions: { reason: 'TOKEN_EXPIRED' } }] };
      await page.route('**/graphql', (route) => route.fulfill({ json: rejection }), { times: 1 });
      await execute();
      await result(`"${user.username}"`);
      expect(renewalCount()).toBe(1);
      await user.data('mutation { revokeToken(input: { everywhere: true }) { revokedSessions } }');
      await execute();
      await page.getByText('Your session has ended. Log in again.').waitFor();
      await page.locator('#open-login').waitFor();
    });

    it('sends the Authorization header of a tab instead of the token', async () => {
      const { username } = await registerUser(service);
      await openGraphiql();
      await logInAs(username);
      await openExample('Me');
      await page.getByRole('button', { name: 'Headers' }).click();
      await page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden)').click();
      // The editor adds the closing quote and bracket.
      await page.keyboard.type('{"Authorization": "Bearer key');
      await execute();
      await result('"TOKEN_INVALID"');
      expect(sent.at(-1)?.authorization).toBe('Bearer key');
      expect(await account()).toBe(`Signed in as ${username}`);
    });

    it('shows the error of a wrong password, and the password on request', async () => {
      const { username } = await registerUser(service);
      await openGraphiql();
      await logIn(username, 'wrong');
      await page.locator('#outcome.problem:focus').filter({ hasText: 'wrong' }).waitFor();
      await page.getByLabel('Show password').check();
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
      await page.keyboard.press('Escape');
      await page.locator('#open-login').click();
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password');
      await page.getByRole('button', { name: 'Open the example Register' }).click();
      await page.getByRole('tab', { name: 'Register' }).waitFor();
    });

    it('revokes the session when the page is closed', async () => {
      const user = await registerUser(service);
      await openGraphiql();
      await logInAs(user.username);
      await page.goto(`${service.url}/`);
      await waitUntil('the session is revoked', async () => (await sessionCount(user)) === 1);
    });

    it('writes no typed text into the URL', async () => {
      await openGraphiql();
      await page.locator('.graphiql-query-editor').click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('query Typed { me');
      await page.getByRole('tab', { name: 'Typed' }).waitFor();
      expect(page.url()).toBe(`${service.url}/graphql`);
    });
  });
});
