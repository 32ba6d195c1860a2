import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentIdOf } from '../../../src/graphql/trusted-documents/trusted-document.js';
import { STREAM_TRANSPORTS, TRANSPORT_NAMES, TRANSPORTS } from '../../support/http/graphql-transports.js';
import { TestClient, type GraphqlResponse } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, registerUser, type TestUser } from '../../support/service/test-users.js';

const NEW = 'application/graphql-response+json';
const OLD = 'application/json';
const PATH = '/graphql';

const NAMES = `query Name($id: UUID!) { group(id: $id) { name } }
query State($id: UUID!) { group(id: $id) { state } }
`;
const MEMBERS = 'query ($first: Int!) { me { memberships(first: $first) { nodes { group { name state } } } } }';
const LONG_PARTS = Array.from({ length: 20 }, (_, index) => `a${String(index)}: me { ${'id '.repeat(50)}}`);
const LONG = `{ ${LONG_PARTS.join(' ')} }`;
const RENAME = 'mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { group { name } } }';
const CHANGES = 'subscription ($id: UUID!) { groupChanged(groupId: $id, afterRevision: 0) { revision } }';
const ME = 'query Me{me{id username email emailVerified displayName createdAt roles}}';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-documents-'));
  await writeFile(join(folder, 'names.graphql'), NAMES);
  await writeFile(
    join(folder, 'persisted-documents.json'),
    JSON.stringify({
      ...Object.fromEntries([MEMBERS, LONG, RENAME, CHANGES].map((text) => [documentIdOf(text), text])),
      'my-rename': RENAME,
    }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

function start(settings: Readonly<Record<string, string>>): Promise<TestService> {
  return startTestService({ hasher: FAKE_HASHER, settings: { TRUSTED_DOCUMENTS: folder, ...settings } });
}

function errorOf({ status, errors }: GraphqlResponse): Record<string, unknown> {
  return { status, code: errors?.[0]?.extensions.code, reason: errors?.[0]?.extensions.reason };
}

describe.each(['yoga', 'apollo'])('trusted documents with %s', (engine) => {
  let service: TestService;
  let ada: TestUser;
  let groupId: string;

  beforeAll(async () => {
    service = await start({ GRAPHQL_ENGINE: engine });
    ada = await registerUser(service);
    groupId = await createGroupViaApi(ada);
  });
  afterAll(() => service.remove());

  async function send(body: object, headers: Readonly<Record<string, string>> = {}): Promise<GraphqlResponse> {
    const response = await ada.post(PATH, body, headers);
    return { ...(response.body as object), status: response.status, headers: response.headers, text: response.text };
  }

  it.each(TRANSPORT_NAMES)('are called by their id over %s', async (name) => {
    const sent = { documentId: documentIdOf(NAMES), operationName: 'Name', variables: { id: groupId } };

    // The third run is compiled.
    for (let run = 0; run < 3; run += 1) {
      const { status, data } = await TRANSPORTS[name](service.url, ada, sent);
      expect({ status, data }).toEqual({ status: 200, data: { group: { name: expect.any(String) } } });
    }
  });

  it('contain the documents of the service and those of manifests', async () => {
    for (const body of [
      { documentId: documentIdOf(ME) },
      { documentId: documentIdOf(MEMBERS), variables: { first: 1 } },
      { documentId: 'my-rename', variables: { input: { groupId, name: 'Renamed' } } },
    ]) {
      const { status, errors } = await send(body);
      expect({ status, errors }).toEqual({ status: 200, errors: undefined });
    }
  });

  it('may have more tokens than other documents', async () => {
    expect((await send({ documentId: documentIdOf(LONG) })).errors).toBeUndefined();
    expect((await send({ query: LONG })).errors).toBeUndefined();
    expect((await send({ query: `${LONG} ` })).errors?.[0]?.extensions).toMatchObject({ limit: { name: 'tokens' } });
  });

  it('have the limits of all operations, with the variables of each request', async () => {
    const documentId = documentIdOf(MEMBERS);
    const small = await start({ GRAPHQL_ENGINE: engine, GRAPHQL_COST: '100' });
    try {
      const user = await registerUser(small);
      for (const [first, limit] of [
        [10, undefined],
        [1_000, [{ name: 'cost', most: 100 }]],
        [10, undefined],
      ] as const) {
        const { errors } = await TRANSPORTS.POST(small.url, user, { documentId, variables: { first } });
        expect(errors?.map(({ extensions }) => extensions.limit)).toEqual(limit);
      }
    } finally {
      await small.remove();
    }
  });

  it('run a mutation by POST only, and a subscription as a stream only', async () => {
    const rename = { documentId: documentIdOf(RENAME), variables: { input: { groupId, name: 'Never' } } };
    const changes = { documentId: documentIdOf(CHANGES), variables: { id: groupId } };

    expect(errorOf(await TRANSPORTS.GET(service.url, ada, rename))).toMatchObject({ status: 405 });
    expect(errorOf(await send(changes, { accept: OLD }))).toMatchObject({ status: 406 });
  });

  it.each<[string, object, number, string]>([
    ['an unknown id', { documentId: documentIdOf('{ x }') }, 404, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['an id of another kind', { documentId: 'canary' }, 404, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['an id that is no text', { documentId: 1 }, 400, 'MALFORMED_REQUEST'],
    ['the id and another text', { documentId: documentIdOf(NAMES), query: MEMBERS }, 400, 'MALFORMED_REQUEST'],
    ['the id and no text', { documentId: documentIdOf(NAMES), query: 1 }, 400, 'MALFORMED_REQUEST'],
    ['neither', { documentId: '', query: '' }, 400, 'MALFORMED_REQUEST'],
  ])('reject a request with %s', async (_, body, status, code) => {
    for (const accept of [NEW, OLD]) {
      const response = await send(body, { accept });
      expect(errorOf(response)).toEqual({ status, code, reason: code });
      expect(response.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.text).not.toContain('canary');
    }
  });

  it('accept a text beside its own hash, and ignore an empty id', async () => {
    const query = '{ me { id } }';

    for (const body of [
      { documentId: documentIdOf(NAMES), query: NAMES, operationName: 'State', variables: { id: groupId } },
      { documentId: documentIdOf(query), query },
      { documentId: '', query },
      { documentId: null, query },
      { documentId: documentIdOf(ME), query: '' },
    ]) {
      const { status, errors } = await send(body);
      expect({ status, errors }).toEqual({ status: 200, errors: undefined });
    }
  });

  describe('alone', () => {
    let closed: TestService;
    let bob: TestUser;

    beforeAll(async () => {
      closed = await start({ GRAPHQL_ENGINE: engine, TRUSTED_DOCUMENTS_ONLY: 'on' });
      bob = await registerUser(closed);
    });
    afterAll(() => closed.remove());

    it.each(TRANSPORT_NAMES)('are all that runs over %s', async (name) => {
      const refused = await TRANSPORTS[name](closed.url, bob, { query: '{ me { id } }' }).catch(
        (error: unknown) => error,
      );
      const text = refused instanceof Error ? refused.message : (refused as GraphqlResponse).text;
      expect(text).toContain('"code":"DOCUMENT_NOT_TRUSTED","reason":"DOCUMENT_NOT_TRUSTED"');

      const { data } = await TRANSPORTS[name](closed.url, bob, { documentId: documentIdOf(ME) });
      expect(data).toMatchObject({ me: { id: bob.id } });
    });

    it.each(STREAM_TRANSPORTS)('are all that is streamed over %s', async (name) => {
      const subscription = { query: `${CHANGES} `, variables: { id: bob.id } };
      await expect(TRANSPORTS[name](closed.url, bob, subscription)).rejects.toThrow('DOCUMENT_NOT_TRUSTED');
    });

    it.each<[string, object]>([
      ['a query', { query: '{ me { id } }' }],
      ['a query of one token more', { query: `${ME} ` }],
      ['a query beside its hash', { query: '{ me { id } }', documentId: documentIdOf('{ me { id } }') }],
      ['introspection', { query: '{ __schema { queryType { name } } }' }],
      ['a text that cannot be parsed', { query: '{' }],
      ['the field of every schema', { query: '{ __typename }' }],
    ])('leave no other way for %s', async (_, body) => {
      for (const accept of [NEW, OLD]) {
        const { status, body: response, headers } = await bob.post(PATH, body, { accept });
        expect({ status, response }).toEqual({
          status: 403,
          response: {
            errors: [
              {
                message: 'The service runs trusted documents only.',
                extensions: {
                  code: 'DOCUMENT_NOT_TRUSTED',
                  reason: 'DOCUMENT_NOT_TRUSTED',
                  requestId: headers.get('x-request-id'),
                },
              },
            ],
          },
        });
      }
    });

    it('may be sent as their text', async () => {
      expect((await bob.graphql(ME)).data).toMatchObject({ me: { id: bob.id } });
    });

    it('leave REST as it is', async () => {
      expect((await bob.get('/api/auth/me')).status).toBe(200);
    });

    it('turn GraphiQL off', async () => {
      const { status, text } = await new TestClient(closed.url).get(PATH, { accept: 'text/html' });
      expect({ status, hasEditor: text.includes('graphiql') }).toEqual({ status: 200, hasEditor: false });
      await expect(start({ TRUSTED_DOCUMENTS_ONLY: 'on', GRAPHIQL: 'on' })).rejects.toThrow(
        'GRAPHIQL must be off with TRUSTED_DOCUMENTS_ONLY=on',
      );
    });
  });
});

describe('the start with trusted documents', () => {
  it('fails for documents that do not fit the schema, naming each file and place', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'convene-documents-'));
    try {
      await writeFile(join(broken, 'a.graphql'), 'query A {\n  me { nonsense ...F }\n}');
      await writeFile(join(broken, 'f.graphql'), '\nfragment F on Viewer { usernam }');
      await writeFile(join(broken, 'm.json'), JSON.stringify({ 'my-id': '{ mee { id } }', other: '{' }));
      await expect(startTestService({ settings: { TRUSTED_DOCUMENTS: broken } })).rejects.toThrow(
        [
          'Convene cannot start with these trusted documents:',
          `  - ${broken}/a.graphql:2:8 Cannot query field "nonsense" on type "Viewer".`,
          `  - ${broken}/f.graphql:2:24 Cannot query field "usernam" on type "Viewer". Did you mean "username"?`,
          `  - ${broken}/m.json, document my-id:1:3 Cannot query field "mee" on type "Query". Did you mean "me"?`,
          `  - ${broken}/m.json, document other:1:2 Syntax Error: Expected Name, found <EOF>.`,
        ].join('\n'),
      );
    } finally {
      await rm(broken, { recursive: true });
    }
  });

  it('fails when the folder is missing', async () => {
    await expect(startTestService({ settings: { TRUSTED_DOCUMENTS: join(folder, 'missing') } })).rejects.toThrow(
      'TRUSTED_DOCUMENTS must name a folder that can be read.',
    );
  });
});
