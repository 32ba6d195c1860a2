import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { respondToGroup } from '../support/http/test-subscription.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  registerUser,
  type TestUser,
} from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';
import { describeInBrowser } from './chromium.js';
import { launchChromium } from './launch-chromium.js';

/** So many that the list is compressed. */
const MEMBERS = 30;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A GET as the browser sent it, and its response as the browser received it. */
interface Exchange {
  readonly ifNoneMatch: string | undefined;
  readonly status: number;
  readonly encoding: string | undefined;
}

describeInBrowser("a group resource in a browser's cache", () => {
  let frontEnd: Server;
  let service: TestService;
  let owner: TestUser;
  let guest: TestUser;
  let groupId: string;
  let browser: Browser;
  let page: Page;
  let exchanges: Exchange[];

  beforeAll(async () => {
    frontEnd = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
    await new Promise<void>((resolve) => frontEnd.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(frontEnd.address() as AddressInfo).port}`;
    service = await startTestService({ hasher: FAKE_HASHER, settings: { CORS_ORIGINS: origin } });
    owner = await registerUser(service);
    browser = await launchChromium();
  });
  beforeEach(async () => {
    guest = await registerUser(service);
    groupId = await createGroupViaApi(owner, [guest]);
    await inviteUsers(owner, groupId, await insertAccounts(service, MEMBERS));
    page = await browser.newPage();
    exchanges = await recordExchanges(page, new URL(service.url).host);
    await page.goto(`http://127.0.0.1:${(frontEnd.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await browser.close();
    await service.remove();
    frontEnd.close();
  });

  const members = () => `/api/groups/${groupId}/members?limit=100`;

  /** Resolves when the exchange is recorded too, which the browser reports separately. */
  async function get(path: string, token: string | null): Promise<Answer> {
    const recorded = exchanges.length;
    const answer = await page.evaluate(
      async ({ url, headers }) => {
        const response = await fetch(url, { headers });
        return { status: response.status, text: await response.text() };
      },
      { url: service.url + path, headers: token === null ? {} : { authorization: `Bearer ${token}` } },
    );
    await waitUntil('the exchange is recorded', () => exchanges.length > recorded);
    return answer;
  }

  it.each([
    ['members', members, 'br'],
    ['accepted-count', () => `/api/groups/${groupId}/accepted-count`, undefined],
    ['compatibility_score', () => `/api/groups/${groupId}/compatibility_score`, undefined],
  ] as const)('is revalidated by If-None-Match, and read from the cache: %s', async (_, path, encoding) => {
    const first = await get(path(), owner.token);
    const second = await get(path(), owner.token);

    expect(first.status).toBe(200);
    expect(second).toEqual(first);
    expect(exchanges).toEqual([
      { ifNoneMatch: undefined, status: 200, encoding },
      { ifNoneMatch: expect.stringMatching(/^W\/"/), status: 304, encoding: undefined },
    ]);
  });

  it('is not shown to a caller without access or without a token', async () => {
    const outsider = await registerUser(service);
    expect((await get(members(), owner.token)).text).toContain(guest.username);

    const [rejected, anonymous] = [await get(members(), outsider.token), await get(members(), null)];

    expect([rejected.status, anonymous.status]).toEqual([404, 401]);
    expect(rejected.text + anonymous.text).not.toContain(guest.username);
    expect(exchanges.map(({ status }) => status)).toEqual([200, 404, 401]);
  });

  it('is revalidated for another caller with access', async () => {
    await get(members(), owner.token);

    const asGuest = await get(members(), guest.token);

    expect(asGuest).toMatchObject({ status: 200, text: expect.stringContaining(owner.username) });
    expect(exchanges.map(({ status }) => status)).toEqual([200, 304]);
  });

  it('is read anew after a response', async () => {
    const before = await get(members(), owner.token);
    await respondToGroup(guest, groupId, 'ACCEPTED');

    const after = await get(members(), owner.token);

    const statusOf = ({ text }: Answer): unknown =>
      (JSON.parse(text) as { members: { user_id: string; status: string }[] }).members.find(
        ({ user_id: id }) => id === guest.id,
      )?.status;
    expect([statusOf(before), statusOf(after)]).toEqual(['pending', 'accepted']);
    expect(exchanges).toMatchObject([
      { status: 200, encoding: 'br' },
      { ifNoneMatch: expect.stringMatching(/^W\/"/), status: 200, encoding: 'br' },
    ]);
  });
});

/** Records the GETs from a page to a host, without preflights. What the cache answers alone is not sent. */
async function recordExchanges(page: Page, host: string): Promise<Exchange[]> {
  const session = await page.context().newCDPSession(page);
  const sent = new Map<string, string | undefined>();
  const exchanges: Exchange[] = [];
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    const lower = lowerCased(headers);
    if (lower.host === host && lower['access-control-request-method'] === undefined)
      sent.set(requestId, lower['if-none-match']);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
    if (!sent.has(requestId)) return;
    const encoding = lowerCased(headers)['content-encoding'];
    exchanges.push({ ifNoneMatch: sent.get(requestId), status: statusCode, encoding });
  });
  await session.send('Network.enable');
  return exchanges;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
