import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import type { EngineName } from '../../../src/graphql/engines/engine.js';
import { createCapturingLogger, ERROR } from '../../support/capturing-logger.js';
import {
  comparableHead,
  TestClient,
  type GraphqlResponse,
  type GraphqlResponseError,
  type Request,
  type TestResponse,
} from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';

const PATH = '/graphql';
const NEW = 'application/graphql-response+json';
const OLD = 'application/json';
/** The Accept header of a browser that opens a URL. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const AUDITS = 61;

const GROUP = 'query ($id: UUID!) { group(id: $id) { id } }';
const ANSWER =
  'mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { changed member { status } } }';
const REGISTER = 'mutation ($input: RegisterInput!) { register(input: $input) { user { id } } }';

/** The contract of GraphQL over HTTP. It runs on every engine, so that all return the same responses. */
/** @param directLane whether requests by POST bypass the engine */
export function graphqlSuite(engine: EngineName, directLane: 'on' | 'off' = 'off'): void {
  const { log, lines } = createCapturingLogger();
  let service: TestService;
  let anonymous: TestClient;
  let owner: TestUser;
  let guest: TestUser;
  let groupId: string;
  let isBroken = false;

  beforeAll(async () => {
    service = await startTestService({
      log,
      settings: { GRAPHQL_ENGINE: engine, DIRECT_LANE: directLane },
      hasher: {
        hash: (password) =>
          isBroken
            ? Promise.reject(new TypeError('canary: the hasher is broken'))
            : Promise.resolve(`hash of ${password}`),
        verify: (hash, password) => Promise.resolve(hash === `hash of ${password}`),
        needsRehash: () => false,
      },
    });
    anonymous = new TestClient(service.url);
    [owner, guest] = [await registerUser(service), await registerUser(service)];
    groupId = await createGroupViaApi(owner, [guest]);
  });
  afterAll(() => service.remove());

  function post(body: string, headers: Request['headers'] = {}): Promise<TestResponse> {
    return anonymous.send('POST', PATH, { headers: { 'content-type': OLD, ...headers }, body });
  }

  function get(
    parameters: Readonly<Record<string, string>>,
    headers: Request['headers'] = {},
    method = 'GET',
  ): Promise<TestResponse> {
    return owner.send(method, `${PATH}?${new URLSearchParams(parameters).toString()}`, { headers });
  }

  it('passes every audit of GraphQL over HTTP', async () => {
    const audits = serverAudits({ url: service.url + PATH, fetchFn: fetch });
    const results = await Promise.all(audits.map((audit) => audit.fn()));
    expect(results.filter(({ status }) => status !== 'ok').map(({ id, name }) => `${id} ${name}`)).toEqual([]);
    expect(results).toHaveLength(AUDITS);
  });

  describe('a malformed request', () => {
    it.each<[string, number, Request]>([
      ['without a body or its type', 400, {}],
      ['with an empty body', 400, { headers: { 'content-type': OLD }, body: '' }],
      ['in plain text', 415, { headers: { 'content-type': 'text/plain' }, body: '{"query": "{ __typename }"}' }],
      ['without a type', 415, { body: new TextEncoder().encode('{"query": "{ __typename }"}') }],
      ['as a document', 415, { headers: { 'content-type': 'application/graphql' }, body: '{ __typename }' }],
      ['as a form', 415, { body: new URLSearchParams({ query: '{ __typename }' }) }],
      ['in parts', 415, { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' }],
      ['in UTF-16', 415, { headers: { 'content-type': 'application/json; charset=utf-16' }, body: '{}' }],
      ['of a type that begins like JSON', 415, { headers: { 'content-type': 'application/jsonx' }, body: '{}' }],
      ...[
        '{"query": "canary',
        '[]',
        'null',
        '"canary"',
        '1',
        '{}',
        '{"query": 1}',
        '{"query": ""}',
        '{"query": null}',
        '{"query": ["{ __typename }"]}',
        '[{"query": "{ __typename }"}]',
        '[{"query": "{ __typename }"}, {"query": "{ __typename }"}]',
        '{"query": "{ __typename }", "variables": [7]}',
        '{"query": "{ __typename }", "variables": "{}"}',
        '{"query": "{ __typename }", "variables": 5}',
        '{"query": "{ __typename }", "operationName": 5}',
        '{"query": "{ __typename }", "operationName": {}}',
        '{"query": "{ __typename }", "extensions": []}',
        '{"query": "{ __typename }", "extensions": "canary"}',
      ].map((body): [string, number, Request] => [`saying ${body}`, 400, { headers: { 'content-type': OLD }, body }]),
    ])('%s is rejected with %i', async (_, status, request) => {
      for (const accept of [NEW, OLD]) {
        const response = await anonymous.send('POST', PATH, { ...request, headers: { ...request.headers, accept } });
        expectError(response, status, accept);
      }
    });

    it.each<[string, number, string, Request['headers']?]>([
      ['without a query', 400, ''],
      ['with two', 400, 'query={__typename}&query={__typename}'],
      ['with variables that are no JSON', 400, 'query={__typename}&variables={canary'],
      ['with variables in a list', 400, 'query={__typename}&variables=[1]'],
      ['with null for variables', 400, 'query={__typename}&variables=null'],
      ['said to be plain text', 415, 'query={__typename}', { 'content-type': 'text/plain' }],
      ['said to be a form', 415, 'query={__typename}', { 'content-type': 'application/x-www-form-urlencoded' }],
    ])('by GET %s is rejected with %i', async (_, status, query, headers = {}) => {
      expectError(await anonymous.get(`${PATH}?${query}`, { ...headers, accept: OLD }), status, OLD);
    });

    it('with a body that is too large is rejected with 413', async () => {
      expectError(
        await post(JSON.stringify({ query: `{ __typename } #${'x'.repeat(102_400)}` }), { accept: OLD }),
        413,
        OLD,
      );
    });
  });

  describe('a request of common clients', () => {
    const HASH_ONLY = { persistedQuery: { version: 1, sha256Hash: 'canary' } };

    it.each([
      ['unknown members', { query: '{ __typename }', operationType: 'query', canary: 1 }],
      ['empty members', { query: '{ __typename }', operationName: '', variables: '', extensions: '' }],
      ['members that are null', { query: '{ __typename }', operationName: null, variables: null, extensions: null }],
      ['a document beside its hash', { query: '{ __typename }', extensions: HASH_ONLY }],
    ])('runs with %s, by POST and GET', async (_, body) => {
      const parameters = Object.entries(body).map(([name, value]): [string, string] => [
        name,
        value === null || typeof value === 'string' ? (value ?? '') : JSON.stringify(value),
      ]);

      for (const response of [await post(JSON.stringify(body)), await get(Object.fromEntries(parameters))]) {
        expect([response.status, response.body]).toEqual([200, { data: { __typename: 'Query' } }]);
      }
    });

    it('is told to send the document when it sends the hash only, by POST and GET', async () => {
      const hash = { extensions: HASH_ONLY };

      for (const accept of [NEW, OLD]) {
        for (const response of [
          await post(JSON.stringify({ ...hash, operationName: 'Canary' }), { accept }),
          await get({ extensions: JSON.stringify(HASH_ONLY) }, { accept }),
        ]) {
          expect([response.status, response.headers.get('content-type')]).toEqual([400, `${accept}; charset=utf-8`]);
          expect(response.body).toMatchObject({
            errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
          });
        }
      }
    });
  });

  describe('a response', () => {
    it.each([
      ['*/*', OLD],
      ['application/*', OLD],
      ['', OLD],
      [OLD, OLD],
      [NEW, NEW],
      [`${OLD};q=0.5, ${NEW}`, NEW],
      [`${NEW};q=0.5, ${OLD}`, OLD],
      [`${NEW};q=0, ${OLD}`, OLD],
      ['text/html, */*;q=0.1', OLD],
      [`${OLD}; charset=utf-8`, OLD],
      [`${NEW}; charset=utf-8`, NEW],
    ])('to "Accept: %s" has the type %s', async (accept, type) => {
      const response = await post('{"query": "{ __typename }"}', { accept });
      expect({ status: response.status, type: response.headers.get('content-type'), body: response.body }).toEqual({
        status: 200,
        type: `${type}; charset=utf-8`,
        body: { data: { __typename: 'Query' } },
      });
      expect(response.headers.get('cache-control')).toBe('no-store');
    });

    it.each([
      'text/html',
      'application/xml',
      `${OLD};q=0`,
      'text/event-stream;q=0',
      `${OLD}; charset=utf-16`,
      'image/*',
    ])('to "Accept: %s" is an error', async (accept) => {
      expectError(await post('{"query": "{ __typename }"}', { accept }), 406, OLD);
    });

    it.each([
      'application/json; charset=utf-8',
      'application/json; Charset=UTF-8',
      'application/json;charset="utf-8"',
      'APPLICATION/JSON',
    ])('is returned for a request of the type %s', async (type) => {
      expect((await post('{"query": "{ __typename }"}', { 'content-type': type })).status).toBe(200);
    });

    it.each([
      '{"query": "{ __typename }", "variables": null}',
      '{"query": "{ __typename }", "operationName": null, "extensions": null}',
      '{"query": "query A { __typename } query B { __typename }", "operationName": "B"}',
      '{"query": "{ __typename }", "variables": {"more": 1}}',
    ])('is returned for %s', async (body) => {
      expect((await post(body)).body).toEqual({ data: { __typename: 'Query' } });
    });

    it.each<[string, string, Readonly<Record<string, unknown>>, string]>([
      ['a document that cannot be read', '{ me {', {}, 'GRAPHQL_PARSE_FAILED'],
      ['nothing but a comment', '# nothing', {}, 'GRAPHQL_PARSE_FAILED'],
      ['an unknown field', '{ nonsense }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['a definition of types', 'type Nonsense { a: Int }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['a fragment alone', 'fragment A on Query { __typename }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['a fragment that spreads itself', '{ ...A } fragment A on Query { ...A }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['two operations and no name', 'query A { __typename } query B { __typename }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['a literal that does not fit', '{ group(id: "x") { id } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['a variable that does not fit', GROUP, { id: 'x' }, 'BAD_USER_INPUT'],
      ['a variable that is missing', GROUP, {}, 'BAD_USER_INPUT'],
    ])('to %s is 400 in the new media type, and 200 in the old', async (_, query, variables, code) => {
      for (const [accept, status] of [
        [NEW, 400],
        [OLD, 200],
      ] as const) {
        const response = await owner.graphql(query, variables, { accept });
        expect({
          status: response.status,
          code: response.errors?.[0]?.extensions.code,
          hasData: 'data' in response,
        }).toEqual({ status, code, hasData: false });
        expect(response.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
        for (const error of response.errors ?? []) expectPublic(error, response);
      }
    });

    it.each(['/graphql', '/graphql/', '/%67raphql', '/graphql?more=1'])(
      'is returned for every spelling of the path: %s',
      async (path) => {
        const { status, body } = await anonymous.post(path, { query: '{ __typename }' });
        expect({ status, body }).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
      },
    );

    it('for an operation name that the document does not contain is an error', async () => {
      const { body } = await post(JSON.stringify({ query: 'query A { __typename }', operationName: 'X' }));
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
    });

    it('after execution is 200, with or without errors', async () => {
      for (const accept of [NEW, OLD]) {
        const { status, data, errors } = await owner.graphql(GROUP, { id: UNKNOWN_ID }, { accept });
        expect({ status, data, code: errors?.[0]?.extensions.code }).toEqual({
          status: 200,
          data: null,
          code: 'NOT_FOUND',
        });
      }
    });
  });

  describe('GET', () => {
    it('runs a query by its name with its variables', async () => {
      const query = `query A { __typename } ${GROUP.replace('query', 'query B')}`;
      const { status, body } = await get({ query, operationName: 'B', variables: JSON.stringify({ id: groupId }) });
      expect({ status, body }).toEqual({ status: 200, body: { data: { group: { id: groupId } } } });
    });

    it.each([{}, { operationName: 'B' }])('rejects a mutation %j', async (name) => {
      const mutation = `mutation B { cancelGroup(input: {groupId: "${groupId}"}) { group { id } } }`;
      const query = 'operationName' in name ? `query A { __typename } ${mutation}` : mutation;
      for (const method of ['GET', 'HEAD']) {
        const response = await get({ query, ...name }, { accept: OLD }, method);
        expect(response.status).toBe(405);
        expect(response.headers.get('allow')).toBe('POST');
        if (method === 'GET') expectError(response, 405, OLD);
      }
      expect(await owner.data('query ($id: UUID!) { group(id: $id) { state } }', { id: groupId })).toEqual({
        group: { state: 'FORMING' },
      });
    });

    it('returns the same for HEAD without the body', async () => {
      for (const query of ['{ __typename }', '{ me { id } }', '{ nonsense }', '{ me {']) {
        for (const accept of [NEW, OLD]) {
          const [whole, head] = [await get({ query }, { accept }), await get({ query }, { accept }, 'HEAD')];
          expect(comparableHead(head)).toEqual(comparableHead(whole));
          expect(head.text).toBe('');
        }
      }
    });
  });

  describe('request content', () => {
    it.each<[string, string, Readonly<Record<string, unknown>>?]>([
      [
        'a text among literals',
        'mutation { register(input: {username: "canary-name" password: "canary-word" "canary" }) { user { id } } }',
      ],
      ['a text without an end', 'mutation { register(input: {username: "a" password: "canary'],
      ['a number of letters', '{ group(id: 0canary) { id } }'],
      ['an escape that is none', 'mutation { register(input: {username: "\\canary"}) { user { id } } }'],
      ['a block of text', 'mutation { register(input: """canary""") { user { id } } }'],
      ['an unexpected character', '{ canary\u00e4 }'],
      ['a name out of place', '{ me { id } } canary'],
      [
        'literals of other types',
        'mutation { register(input: {username: 987654321, password: ["canary-word"]}) { user { id } } }',
      ],
      [
        'literals beside an unknown field',
        'mutation { register(input: {username: "canary-name", password: "canary-word", ' +
          'nonsense: "canary"}) { user { id } } }',
      ],
      ['a word for a text', 'mutation { register(input: {username: "a", password: canary}) { user { id } } }'],
      [
        'a word for an answer',
        `mutation { updateMemberStatus(input: {groupId: "${UNKNOWN_ID}", ` +
          `userId: "${UNKNOWN_ID}", status: CANARY}) { changed } }`,
      ],
      [
        'a text for an answer',
        `mutation { updateMemberStatus(input: {groupId: "${UNKNOWN_ID}", ` +
          `userId: "${UNKNOWN_ID}", status: "canary"}) { changed } }`,
      ],
      ['a text for an id', '{ group(id: "canary") { id } }'],
      ['an object for an id', '{ group(id: {canary: "canary"}) { id } }'],
      ['a text for a condition', '{ __typename @include(if: "canary") }'],
      ['a default that does not fit', 'query ($first: Int = "canary") { __typename @include(if: true) }'],
      ['an argument of a directive', '{ __typename @include(if: true, because: "canary") }'],
      ['a variable for an id', GROUP, { id: 'canary' }],
      ['an object for an id in a variable', GROUP, { id: { canary: 'canary' } }],
      [
        'variables for ids and an answer',
        ANSWER,
        { input: { groupId: 'canary', userId: ['canary'], status: 'canary' } },
      ],
      [
        'variables of other types',
        REGISTER,
        { input: { username: { name: 'canary' }, password: ['canary-word'], email: 'canary' } },
      ],
      ['a variable for all', REGISTER, { input: 'canary' }],
      ['a list of variables', REGISTER, { input: ['canary'] }],
      ['a short password', REGISTER, { input: { username: 'canary-name', password: 'canary' } }],
      [
        'a short password among literals',
        'mutation { register(input: {username: "canary-name", password: "canary"}) { user { id } } }',
      ],
      [
        'a wrong password',
        'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { expiresIn } }',
        { input: { username: 'canary', password: 'canary-word' } },
      ],
      [
        'a wrong secret',
        'mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { user { id } } }',
        { input: { secret: 'canary' } },
      ],
      [
        'a wrong cursor',
        'query ($id: UUID!) { group(id: $id) { members(after: "canary") { totalCount } } }',
        { id: UNKNOWN_ID },
      ],
    ])('is not repeated in the error: %s', async (_, query, variables = {}) => {
      for (const caller of [owner, anonymous]) {
        const response = await caller.graphql(query, variables, { accept: NEW });
        expect(response.errors).not.toEqual([]);
        expect(response.text.toLowerCase()).not.toMatch(/canary|987654321/);
        for (const error of response.errors ?? []) expectPublic(error, response);
      }
      expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    });
  });

  describe('a caller', () => {
    it.each<[string, string, Readonly<Record<string, unknown>>]>([
      ['a field', '{ me { id } }', {}],
      ['a wrong variable', GROUP, { id: 'nonsense' }],
      ['a missing variable', GROUP, {}],
      [
        'a wrong variable behind a fragment',
        'query ($id: UUID!) { ...A } fragment A on Query { group(id: $id) { id } }',
        { id: 5 },
      ],
      [
        'a wrong variable beside a field for everyone',
        'mutation ($input: RegisterInput!) { register(input: $input) { user { id } } ' +
          'requestEmailVerification { sent } }',
        {},
      ],
    ])('without a token gets the authentication error before any other: %s', async (_, query, variables) => {
      for (const [client, reason] of [
        [anonymous, 'TOKEN_MISSING'],
        [anonymous.with('nonsense'), 'TOKEN_INVALID'],
      ] as const) {
        const { errors } = await client.graphql(query, variables);
        expect(errors?.map(({ extensions: { code, reason: why } }) => [code, why])).toEqual([
          ['UNAUTHENTICATED', reason],
        ]);
      }
    });

    it('without a token or with an expired one gets the errors of public operations', async () => {
      for (const client of [anonymous, anonymous.with('nonsense')]) {
        const { errors } = await client.graphql(REGISTER, { input: { username: 5 } });
        expect(errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          fields: [{ field: 'username' }, { field: 'password' }],
        });
        expect(await client.data('{ __typename }')).toEqual({ __typename: 'Query' });
      }
    });

    it('with an insufficient token gets the missing right', async () => {
      const input = { groupId, userId: guest.id, status: 'ACCEPTED' };
      expect((await owner.graphql(ANSWER, { input })).errors?.[0]?.extensions).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'NOT_YOUR_MEMBERSHIP',
      });
    });

    it('with two Authorization headers is anonymous', async () => {
      const response = await fetch(service.url + PATH, {
        method: 'POST',
        body: '{"query": "{ me { id } }"}',
        headers: [
          ['content-type', OLD],
          ['authorization', `Bearer ${owner.token}`],
          ['authorization', `Bearer ${owner.token}`],
        ],
      });
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { reason: 'TOKEN_INVALID' } }] });
    });
  });

  describe('invalid input', () => {
    it('is reported by field, in the same words as over REST', async () => {
      const sent = { username: 'a', password: 'short', email: 'x@example.org', displayName: '\u0000' };
      const { errors } = await anonymous.graphql(REGISTER, { input: sent });
      const { body } = await anonymous.post('/api/auth/register', {
        username: sent.username,
        password: sent.password,
        email: sent.email,
        display_name: sent.displayName,
      });
      const rest = body as { code: unknown; reason: unknown; errors: { field: string; message: string }[] };
      expect(errors?.[0]?.extensions).toMatchObject({ code: rest.code, reason: rest.reason });
      expect(errors?.[0]?.extensions.fields).toEqual(
        rest.errors.map(({ field, message }) => ({ field: field.replace('display_name', 'displayName'), message })),
      );
    });

    it.each(['ACCEPTED ', 'accepted', 'maybe', '', 1, true, null, ['ACCEPTED'], {}])(
      'is %j for a response status, as over REST',
      async (status) => {
        const { errors } = await guest.graphql(ANSWER, { input: { groupId, userId: guest.id, status } });
        expect(errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          reason: 'INVALID_INPUT',
          fields: [{ field: 'status' }],
        });
      },
    );

    it.each([0, -1, 1_001, 2_147_483_648, 1.5, 'x', null])('is %j for a page length', async (first) => {
      const { errors } = await owner.graphql(
        'query ($id: UUID!, $first: Int!) { group(id: $id) { members(first: $first) { totalCount } } }',
        { id: groupId, first },
      );
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field: 'first' }] });
    });

    it('is null for a non-nullable argument with a default, from the first request on', async () => {
      const query =
        'query ($id: UUID!, $stateChangesOnly: Boolean = true) { group(id: $id) { ' +
        'history(stateChangesOnly: $stateChangesOnly) { totalCount } } }';
      for (let run = 0; run < 3; run += 1) {
        const { errors } = await owner.graphql(query, { id: groupId, stateChangesOnly: null });
        expect(errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          fields: [{ field: 'stateChangesOnly' }],
        });
      }
    });

    it('is reported in part when there are many errors', async () => {
      const invitees = Array.from({ length: 5_000 }, () => 'x');
      const { errors, text } = await owner.graphql(
        'mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { group { id } } }',
        { input: { groupId, invitees } },
      );
      expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
      expect(text.length).toBeLessThan(20_000);
    });
  });

  describe('an unexpected error', () => {
    it('is masked, and logged once with the request id', async () => {
      isBroken = true;
      const response = await anonymous.graphql(REGISTER, { input: { username: 'ada', password: PASSWORD } });
      isBroken = false;
      expect({ data: response.data, errors: response.errors }).toEqual({
        data: null,
        errors: [
          {
            message: 'Something went wrong on our side.',
            path: ['register'],
            locations: [{ line: 1, column: 37 }],
            extensions: {
              code: 'INTERNAL_SERVER_ERROR',
              reason: 'INTERNAL',
              requestId: response.headers.get('x-request-id'),
            },
          },
        ],
      });
      const unexpectedErrors = lines.filter(({ level }) => level >= ERROR);
      expect(unexpectedErrors).toHaveLength(1);
      expect(unexpectedErrors[0]).toMatchObject({
        requestId: response.headers.get('x-request-id'),
        err: { message: 'canary: the hasher is broken' },
      });
      expect(JSON.stringify(unexpectedErrors)).not.toContain(PASSWORD);
    });
  });

  describe('in production', () => {
    let closed: TestService;

    beforeAll(async () => {
      const SERVER_SECRET = Buffer.alloc(32, 1).toString('base64');
      closed = await startTestService({ settings: { GRAPHQL_ENGINE: engine, NODE_ENV: 'production', SERVER_SECRET } });
    });
    afterAll(() => closed.remove());

    it.each([
      '{ __schema { queryType { name } } }',
      '{ __type(name: "Query") { name } }',
      '{ ...A } fragment A on Query { x: __schema { types { name } } }',
    ])('introspection is rejected: %s', async (query) => {
      const { data, errors } = await new TestClient(closed.url).graphql(query);
      expect(data).toBeUndefined();
      expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    });

    it.each([
      '{ mee { id } }',
      '{ me { usernam } }',
      'mutation { registr }',
      '{ group(idd: "x") { id } }',
      '{ ... on Grup { id } }',
      'query ($a: UUI) { group(id: $a) { id } }',
      '{ me @skp { id } }',
    ])('errors contain no suggestions: %s', async (query) => {
      const { errors, text } = await new TestClient(closed.url).graphql(query);
      expect(errors).not.toEqual([]);
      expect(text).not.toMatch(/did you mean/i);
    });

    it('`__typename` and all other fields work', async () => {
      expect(await new TestClient(closed.url).data('{ __typename }')).toEqual({ __typename: 'Query' });
    });

    it('a browser that opens the path gets a page with a link to the documentation, by HEAD its head', async () => {
      const [page, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => new TestClient(closed.url).send(method, PATH, { headers: BROWSER })),
      );
      expect({ status: page?.status, type: page?.headers.get('content-type') }).toEqual({
        status: 200,
        type: 'text/html; charset=utf-8',
      });
      expect(page?.headers.get('vary')).toMatch(/accept(,|$)/);
      expect(page?.text).toContain('href="/docs/graphql"');
      expect(page?.text).not.toContain('id="root"');
      expect(head?.text).toBe('');
      expect(head && comparableHead(head)).toEqual(page && comparableHead(page));
    });

    it.each(['*/*', OLD, NEW, `${OLD}, text/html;q=0.9`, `${NEW}, ${OLD};q=0.9, text/html;q=0.8`])(
      'a program that accepts "%s" gets the error of a request without a document',
      async (accept) => {
        const response = await new TestClient(closed.url).get(PATH, { accept });
        expectError(response, 400, accept.startsWith(NEW) ? NEW : OLD);
      },
    );

    it('an operation in the URL is executed, for a browser too', async () => {
      const { status, body } = await new TestClient(closed.url).get(`${PATH}?query={__typename}`, BROWSER);
      expect({ status, body }).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
    });
  });

  it('returns suggestions and introspection outside production', async () => {
    expect((await anonymous.graphql('{ mee { id } }')).errors?.[0]?.message).toContain('Did you mean "me"?');
    expect(await anonymous.data('{ __schema { queryType { name } } }')).toEqual({
      __schema: { queryType: { name: 'Query' } },
    });
  });

  it('serves GraphiQL to browsers only', async () => {
    const page = await anonymous.get(PATH, BROWSER);
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
    expect((await anonymous.get(`${PATH}?query={__typename}`, { accept: '*/*' })).body).toEqual({
      data: { __typename: 'Query' },
    });
  });
}

function expectError(response: TestResponse, status: number, type: string): void {
  expect({
    status: response.status,
    type: response.headers.get('content-type'),
    cache: response.headers.get('cache-control'),
  }).toEqual({
    status,
    type: `${type}; charset=utf-8`,
    cache: 'no-store',
  });
  const code = {
    400: 'MALFORMED_REQUEST',
    405: 'METHOD_NOT_ALLOWED',
    406: 'NOT_ACCEPTABLE',
    413: 'PAYLOAD_TOO_LARGE',
    415: 'UNSUPPORTED_MEDIA_TYPE',
  }[status];
  expect(response.body).toEqual({
    errors: [
      {
        message: expect.any(String),
        extensions: { code, reason: code, requestId: response.headers.get('x-request-id') },
      },
    ],
  });
  expect(response.text.toLowerCase()).not.toContain('canary');
}

/** Requires an error of the public form, whatever its origin. */
function expectPublic({ message, extensions, ...place }: GraphqlResponseError, { headers }: GraphqlResponse): void {
  expect(message).not.toBe('');
  expect(extensions).toMatchObject({
    code: expect.stringMatching(/^[A-Z_]+$/),
    reason: expect.stringMatching(/^[A-Z_]+$/),
    requestId: headers.get('x-request-id'),
  });
  expect(
    Object.keys(extensions).every((key) =>
      ['code', 'reason', 'requestId', 'fields', 'retryAfterSeconds', 'policy'].includes(key),
    ),
  ).toBe(true);
  expect(Object.keys(place).every((key) => ['path', 'locations'].includes(key))).toBe(true);
}
