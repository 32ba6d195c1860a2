import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requestHead, sendRawRequest } from '../../../support/http/raw-http.js';
import { TestClient, type Request, type TestResponse } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../../support/service/test-users.js';

const PATH = '/graphql';
const NEW = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

/** Requests that another site could make a browser send: no preflight comes before these. */
const SIMPLE_TYPES = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'text/plain; application/json',
  FORM,
  'multipart/form-data; boundary=x',
  null,
] as const;

describe.each(['yoga', 'apollo'])('a cross-site mutation with %s', (engine) => {
  let service: TestService;
  let ada: TestUser;
  let groupId: string;
  let before: unknown;
  let names = 0;

  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    ada = await registerUser(service, 'ada');
    groupId = await createGroupViaApi(ada);
  });
  afterAll(() => service.remove());

  async function everything(): Promise<unknown> {
    return (
      await service.database.pool.query(`
          select
            (select count(*) from account) as accounts,
            (select count(*) from session) as sessions,
            (select count(*) from groups) as groups,
            (select sum(revision) from groups) as revisions,
            (select count(*) from session_revocation) as revocations,
            (select count(*) from audit_event) as audited,
            (select count(*) from outbox_task) as tasks`)
    ).rows;
  }

  beforeEach(async () => {
    names += 1;
    before = await everything();
  });
  afterEach(async () => {
    expect(await everything()).toEqual(before);
  });

  /** Mutations with and without a token, by name and anonymous. Each would change something. */
  function mutations(): { query: string; operationName?: string }[] {
    const input = `{username: "joiner-${names}", password: "${PASSWORD}"}`;
    const register = `mutation Join { register(input: ${input}) { user { id } } }`;
    const cancel = `mutation { cancelGroup(input: {groupId: "${groupId}"}) { group { id } } }`;
    return [
      { query: register },
      { query: cancel },
      { query: 'mutation { revokeToken(input: {everywhere: true}) { revokedSessions } }' },
      { query: `mutation { issueToken(input: {username: "ada", password: "${PASSWORD}"}) { accessToken } }` },
      { query: `query Read { __typename } ${register}`, operationName: 'Join' },
      { query: `${register} query Read { __typename }`, operationName: 'Join' },
      { query: `mutation { ...M } fragment M on Mutation { ${cancel.slice(10, -1)} }` },
      { query: `# query\n\ufeff,,,${cancel}` },
    ];
  }

  /** One that needs no token, one that does, and one that hides behind a query. */
  function fewMutations(): { query: string; operationName?: string }[] {
    return mutations().filter((_, index) => [0, 1, 4].includes(index));
  }

  const parametersOf = (mutation: object, more: object = {}): string =>
    new URLSearchParams({ ...mutation, ...more }).toString();

  function expectNotAllowed(response: Pick<TestResponse, 'status' | 'headers' | 'text'>): void {
    expect([response.status, response.headers.get('allow'), response.headers.has('set-cookie')]).toEqual([
      405,
      'POST',
      false,
    ]);
  }

  it.each<[string, Request['headers']]>([
    ['as JSON', { accept: JSON_TYPE }],
    ['as the newer JSON', { accept: NEW }],
    ['as anything', {}],
    ['as events', { accept: 'text/event-stream' }],
    ['as a page', { accept: 'text/html, */*;q=0.5' }],
    ['under another method by a header', { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }],
    ['said to be JSON', { 'content-type': JSON_TYPE }],
    ['with what Apollo asks for', { 'apollo-require-preflight': 'true', 'x-apollo-operation-name': 'Join' }],
    ['from another site', { origin: 'https://evil.example', referer: 'https://evil.example/' }],
  ])('is not executed by GET with Accept %s (graphql-over-http#410)', async (what, headers) => {
    if (what === 'as a page') {
      // A browser that opens the address gets GraphiQL, which shows the document and executes nothing by itself.
      for (const mutation of mutations())
        expect((await ada.get(`${PATH}?${parametersOf(mutation)}`, headers)).headers.get('content-type')).toBe(
          'text/html; charset=utf-8',
        );
      return;
    }
    for (const mutation of what === 'as JSON' ? mutations() : fewMutations()) {
      for (const method of ['GET', 'HEAD'])
        expectNotAllowed(await ada.send(method, `${PATH}?${parametersOf(mutation)}`, { headers: { ...headers } }));
      expectNotAllowed(
        await ada.get(`${PATH}/?${parametersOf(mutation, { variables: '{}', extensions: '{}' })}`, headers),
      );
    }
  });

  it('is not executed by GET with a body, whatever the URL contains', async () => {
    for (const mutation of mutations()) {
      const body = JSON.stringify(mutation);
      for (const query of ['', '?query={__typename}']) {
        const response = await sendRawRequest(
          service.url,
          requestHead(
            `GET ${PATH}${query} HTTP/1.1`,
            'Host: convene',
            'Connection: close',
            `Accept: ${JSON_TYPE}`,
            `Authorization: Bearer ${ada.token}`,
            `Content-Type: ${JSON_TYPE}`,
            `Content-Length: ${Buffer.byteLength(body)}`,
          ) + body,
        );
        expect(response).toMatch(query === '' ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 (200|400) /);
      }
    }
  });

  it.each(SIMPLE_TYPES)('is not read from a body of the type %s (appwrite#13257)', async (type) => {
    for (const mutation of fewMutations()) {
      const part = (name: string, text: string): string =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
      const bodies = [
        JSON.stringify(mutation),
        parametersOf(mutation),
        mutation.query,
        `${JSON.stringify(mutation)}=`,
        `${part('operations', JSON.stringify(mutation))}${part('map', '{}')}--x--\r\n`,
        `${part('query', mutation.query)}--x--\r\n`,
      ];
      for (const [index, body] of bodies.entries()) {
        const path = index % 2 === 0 ? PATH : `${PATH}?${parametersOf(mutation)}`;
        const response = await ada.send('POST', path, {
          headers: type === null ? {} : { 'content-type': type },
          body: new TextEncoder().encode(body),
        });
        expect([response.status, response.headers.has('set-cookie')]).toEqual([415, false]);
      }
    }
  });

  it('is not read from the URL of a POST with an empty or different body', async () => {
    for (const mutation of fewMutations()) {
      const path = `${PATH}?${parametersOf(mutation)}`;
      for (const body of ['', '{}', '[]', 'null'])
        expect([body, (await ada.send('POST', path, { headers: { 'content-type': JSON_TYPE }, body })).status]).toEqual(
          [body, 400],
        );
      expect((await ada.post(path, { query: '{ __typename }' })).body).toEqual({ data: { __typename: 'Query' } });
    }
  });

  it('is not executed in a batch of any form', async () => {
    for (const mutation of fewMutations()) {
      for (const batch of [
        [mutation],
        Array.from({ length: 100 }, () => mutation),
        [[mutation]],
        { 0: mutation },
        { query: [mutation.query] },
        { operations: [mutation] },
      ]) {
        expect((await ada.post(PATH, batch)).status).toBe(400);
      }
      for (const text of [
        `${JSON.stringify(mutation)}\n${JSON.stringify(mutation)}`,
        `${JSON.stringify(mutation)}${JSON.stringify(mutation)}`,
      ]) {
        expect((await ada.send('POST', PATH, { headers: { 'content-type': JSON_TYPE }, body: text })).status).toBe(400);
      }
    }
  });

  it('is not executed by any other method', async () => {
    for (const mutation of fewMutations()) {
      for (const method of ['PUT', 'PATCH', 'DELETE', 'QUERY']) {
        const { status, headers } = await ada.send(method, PATH, { json: mutation });
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, OPTIONS, POST']);
      }
    }
  });

  it('is executed only if it is the operation chosen by name', async () => {
    const [{ query: register } = { query: '' }] = mutations();
    expect(
      (await ada.post(PATH, { query: `query Read { __typename } ${register}`, operationName: 'Read' })).body,
    ).toEqual({ data: { __typename: 'Query' } });
    expect(
      (
        await ada.get(
          `${PATH}?${parametersOf({ query: `query Read { __typename } ${register}`, operationName: 'Read' })}`,
        )
      ).body,
    ).toEqual({ data: { __typename: 'Query' } });
    for (const operationName of [null, '', 'Nobody'])
      expect(
        (await ada.post(PATH, { query: `query Read { __typename } ${register}`, operationName }, { accept: NEW }))
          .status,
      ).toBe(400);
    for (const name of ['', '&operationName=', '&operationName=Nobody']) {
      expect(
        (
          await ada.get(`${PATH}?${parametersOf({ query: `query Read { __typename } ${register}` })}${name}`, {
            accept: NEW,
          })
        ).status,
      ).toBe(400);
    }
  });

  it('is not executed by a form or a link to a REST path', async () => {
    const anonymous = new TestClient(service.url);
    for (const type of SIMPLE_TYPES) {
      const body = new TextEncoder().encode(JSON.stringify({ username: `joiner-${names}`, password: PASSWORD }));
      expect([
        type,
        (
          await anonymous.send('POST', '/api/auth/register', {
            headers: type === null ? {} : { 'content-type': type },
            body,
          })
        ).status,
      ]).toEqual([type, 415]);
    }
    for (const method of ['GET', 'POST', 'PUT']) {
      const { status } = await ada.send(
        method,
        `/api/groups/${groupId}/users/${ada.id}/status?status=declined`,
        method === 'GET' ? {} : { body: new URLSearchParams({ status: 'declined' }) },
      );
      expect([method, status]).toEqual([method, 405]);
    }
  });
});
