import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { uniqueEmail } from '../../support/groups/invitation-fixture.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { TestClient } from '../../support/http/test-client.js';
import { renameGroup, subscribe } from '../../support/http/test-subscription.js';
import { describeWith } from '../../support/processes/installed-programs.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import {
  startBehindNginx,
  type PathMode,
  type ServiceBehindNginx,
} from '../../support/service/service-behind-nginx.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const PAGES = [
  '/',
  '/problems',
  '/api/docs',
  '/docs',
  '/docs/rest',
  '/docs/decisions',
  '/invitation',
  '/verify-email',
  '/reset-password',
  '/graphql',
];
const MODES: readonly PathMode[] = ['keeps', 'removes'];
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the test runs without TLS
const INSECURE = { [oauth.allowInsecureRequests]: true };

/** Every reference of a page to the service: links, scripts, styles, workers and the endpoint of its script. */
function referencesIn(html: string): string[] {
  const attributes = [...html.matchAll(/ (?:href|src|data-endpoint)="([^"]*)"/g)].map(([, value]) => value ?? '');
  const json = [...html.matchAll(/="([^"]*&quot;[^"]*)"/g)].map(([, value]) => value ?? '').join(' ');
  const options = [...json.matchAll(/&quot;(\/[^&]*)&quot;/g)].map(([, value]) => value ?? '');
  return [...new Set([...attributes, ...options])].filter((reference) => !/^(?:#|data:|https:)/.test(reference));
}

describeWith(['nginx'], 'a base path', () => {
  describe.each(MODES)('behind nginx that %s it', (mode) => {
    const mailer = new RecordingMailer();
    let service: ServiceBehindNginx;
    let anyone: TestClient;
    let owner: TestUser;

    beforeAll(async () => {
      service = await startBehindNginx(mode, { mailer, hasher: FAKE_HASHER });
      anyone = new TestClient(service.url);
      owner = await registerUser(service);
    });
    afterAll(() => service.remove());

    /** A client of nginx without the base path. */
    const atOrigin = (token: string | null = null) => new TestClient(new URL(service.url).origin, token);

    it('precedes every reference of every page, and each is served', async () => {
      for (const page of PAGES) {
        const { status, text: html } = await anyone.get(page, { accept: 'text/html' });
        expect({ page, status }).toEqual({ page, status: 200 });
        const references = referencesIn(html);
        expect(references).toContain(page === '/graphql' ? `${service.basePath}/graphql` : `${service.basePath}/`);
        for (const reference of references) {
          expect(`${reference}/`).toMatch(new RegExp(`^${service.basePath}/`));
          // The API reference appends paths to the base path.
          const path = reference === service.basePath ? `${reference}/` : reference;
          const { status: found } = await atOrigin().get(path, { accept: 'text/html, */*' });
          // Paths of POST reject GET.
          expect({ page, reference, found }).toEqual({ page, reference, found: found === 405 ? 405 : 200 });
        }
      }
    });

    it('precedes Location of a registration', async () => {
      const credentials = { username: 'grace', password: PASSWORD };
      const { headers } = await anyone.post('/api/auth/register', credentials);
      expect(headers.get('location')).toBe(`${service.basePath}/api/auth/me`);
    });

    it('precedes Link of a list, which leads to its next page', async () => {
      const groupId = await createGroupViaApi(owner, [await registerUser(service)]);
      const first = await owner.get(`/api/groups/${groupId}/members?limit=1`);
      const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      expect(next).toMatch(new RegExp(`^${service.basePath}/api/groups/`));
      const last = await atOrigin(owner.token).get(next);
      expect(last.body).toMatchObject({ group_id: groupId, next_cursor: null });
    });

    it('precedes type and instance of a problem', async () => {
      const { body } = await anyone.get('/nonsense?x=1');
      expect(body).toMatchObject({
        type: `${service.basePath}/problems#ROUTE_NOT_FOUND`,
        instance: `${service.basePath}/nonsense`,
      });
    });

    it('precedes type of a problem whose request cannot be parsed', async () => {
      const response = await sendRawRequest(service.directUrl, 'nonsense\r\n\r\n');
      expect(response).toContain(`"type":"${service.basePath}/problems#MALFORMED_REQUEST"`);
    });

    it('is part of the issuer, whose metadata leads clients to keys and tokens', async () => {
      const issuer = new URL(service.url);
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }),
      );
      expect((await anyone.get('/.well-known/oauth-authorization-server')).body).toEqual(server);
      const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''));
      await expect(jwtVerify(owner.token, keys, { issuer: service.url })).resolves.toBeDefined();
      const login = new URLSearchParams({ username: owner.username, password: PASSWORD });
      const tokens = await new TestClient(server.token_endpoint ?? '').send('POST', '', { body: login });
      expect(tokens.status).toBe(200);
    });

    it('is part of mailed links', async () => {
      const email = uniqueEmail();
      await anyone.post('/api/auth/register', { username: 'hedy', password: PASSWORD, email });
      await waitUntil('the mail is sent', () => mailer.sent.some(({ to }) => to === email));
      const mail = mailer.sent.find(({ to }) => to === email);
      const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
      expect(link).toMatch(new RegExp(`^${service.url}/verify-email#secret=`));
    });

    it('serves the events of a subscription without delay', async () => {
      const groupId = await createGroupViaApi(owner);
      const subscription = await subscribe(service, owner.token, groupId);
      expect(subscription.response.status).toBe(200);
      await renameGroup(owner, groupId, 'Choir');
      await subscription.waitForChanges(1);
      subscription.disconnect();
      await subscription.ended;
    });

    it('records the address that nginx has seen, and not the forged one', async () => {
      const login = request(`${service.url}/api/auth/token`, {
        method: 'POST',
        localAddress: '127.0.0.2',
        headers: { 'x-forwarded-for': '203.0.113.9', 'content-type': 'application/json' },
      });
      const answered = new Promise<string>((resolve, reject) => {
        login.once('response', (response) => void text(response).then(resolve, reject));
        login.once('error', reject);
      });
      login.end(JSON.stringify({ username: owner.username, password: PASSWORD }));
      expect(await answered).toContain('access_token');
      const { rows } = await service.database.pool.query(
        'select address from session order by created_at desc limit 1',
      );
      expect(rows).toEqual([{ address: '127.0.0.2' }]);
    });
  });
});

describeWith(['nginx'], 'a service under a base path', () => {
  let service: ServiceBehindNginx;

  beforeAll(async () => {
    service = await startBehindNginx('keeps', { hasher: FAKE_HASHER });
  });
  afterAll(() => service.remove());

  it.each(['/convene', '/convene?x=1', '/convene/', '/', '/convene/livez', '/livez', '/convene/api/auth/me'])(
    'answers at %s',
    async (path) => {
      const { status } = await new TestClient(service.directUrl).get(path);
      expect(status).toBe(path.endsWith('/me') ? 401 : 200);
    },
  );

  it.each(['/convenex/livez', '/Convene/livez', '/convene/convene/livez', '/convene//livez', '/x/convene/livez'])(
    'responds with 404 at %s',
    async (path) => {
      expect((await new TestClient(service.directUrl).get(path)).status).toBe(404);
    },
  );

  it('accepts a target in absolute form', async () => {
    const head = requestHead(
      'GET https://example.org/convene/livez HTTP/1.1',
      'Host: example.org',
      'Connection: close',
    );
    expect(await sendRawRequest(service.directUrl, head)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
