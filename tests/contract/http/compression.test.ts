import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendForEncoded, type EncodedResponse } from '../../support/http/encoded-response.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { STREAM_FORMATS } from '../../support/http/stream-formats.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, insertAccounts, registerUser, type TestUser } from '../../support/service/test-users.js';

const MEMBERS = 3_000;

let service: TestService;
let owner: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
  owner = await registerUser(service);
  groupId = await createGroupViaApi(owner);
  await service.database.pool.query(
    `insert into member (group_id, user_id, role, status, invited_at, revision)
     select $1, id, 'MEMBER', 'PENDING', now(), 1 from unnest($2::uuid[]) as id`,
    [groupId, await insertAccounts(service, MEMBERS)],
  );
});
afterAll(() => service.remove());

/** A response whose headers are read as those of `fetch`. */
type Received = Omit<EncodedResponse, 'headers'> & { readonly headers: Headers };

/** Sends a request of the owner, without the decompression of `fetch`. */
async function get(path: string, encoding: string, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  const response = await sendForEncoded(service.url + path, {
    headers: { authorization: `Bearer ${owner.token}`, 'accept-encoding': encoding, ...headers },
  });
  return { ...response, headers: new Headers(response.headers as Record<string, string>) };
}

function members(parameters = ''): string {
  return `/api/groups/${groupId}/members${parameters}`;
}

function query(document: string): string {
  return `/graphql?query=${encodeURIComponent(document)}`;
}

describe('compression of responses', () => {
  it.each(['gzip', 'br'])('sends the streamed list in a fifth of its size with %s', async (encoding) => {
    const plain = await get(members(), 'identity');
    const compressed = await get(members(), encoding);

    expect(compressed.headers.get('content-encoding')).toBe(encoding);
    expect(compressed.headers.get('vary')).toBe('Authorization, Accept-Encoding');
    expect(compressed.text).toBe(plain.text);
    expect(compressed.bytes).toBeLessThan(plain.bytes / 5);
  });

  it.each([
    ['a page of REST', () => members('?limit=100')],
    ['GraphQL', () => query(`{ group(id: "${groupId}") { members(first: 500) { nodes { user { username } } } } }`)],
    ['a page for people', () => '/'],
  ])('compresses %s and says that it varies', async (_, path) => {
    const [plain, compressed] = [await get(path(), 'identity'), await get(path(), 'gzip, deflate, br')];

    expect([plain.status, compressed.status]).toEqual([200, 200]);
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(compressed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(compressed.text).toBe(plain.text);
  });

  it.each(['identity', '', 'gzip;q=0', 'zstd'])('sends plain text to a client that accepts "%s"', async (encoding) => {
    const response = await get(members('?limit=100'), encoding);

    expect(response.headers.get('content-encoding')).toBeNull();
    expect(JSON.parse(response.text)).toMatchObject({ group_id: groupId });
  });

  it('leaves small responses as they are', async () => {
    const response = await get('/api/auth/me', 'gzip');

    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('content-length')).toBe(String(response.bytes));
  });

  it('gives every encoding the same weak entity tag, and 304 for it', async () => {
    const path = members('?limit=100');
    const responses = await Promise.all(['identity', 'gzip', 'br'].map((encoding) => get(path, encoding)));
    const tags = new Set(responses.map(({ headers }) => headers.get('etag')));
    const [tag = ''] = tags;

    expect(tags.size).toBe(1);
    expect(tag).toMatch(/^W\/"/);
    for (const encoding of ['identity', 'gzip', 'br']) {
      const cached = await get(path, encoding, { 'if-none-match': tag ?? '' });
      expect([cached.status, cached.bytes, cached.headers.get('content-encoding')]).toEqual([304, 0, null]);
      expect(cached.headers.get('vary')).toContain('Accept-Encoding');
    }
  });

  it.each(Object.entries(STREAM_FORMATS))('does not delay the results of a stream of %s', async (_, format) => {
    const document = `{ group(id: "${groupId}") { members(first: 500) { nodes { user { username } } } } }`;
    const stream = await get(query(document), 'gzip, br', { accept: format.accept });

    expect(stream.headers.get('content-type')).toBe(format.contentType);
    expect(stream.headers.get('content-encoding')).toBeNull();
    expect(stream.text).toMatch(format.ending);
    expect(stream.bytes).toBeGreaterThan(1_024);
  });

  it('rejects compressed request bodies', async () => {
    const response = await fetch(`${service.url}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: '{}',
    });

    expect(response.status).toBe(415);
  });

  it('sends HEAD without a body', async () => {
    const text = await sendRawRequest(
      service.url,
      requestHead(
        `HEAD ${members('?limit=100')} HTTP/1.1`,
        'Host: convene',
        `Authorization: Bearer ${owner.token}`,
        'Accept-Encoding: gzip',
        'Connection: close',
      ),
    );

    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/\r\n\r\n$/);
  });
});
