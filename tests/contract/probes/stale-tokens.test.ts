import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildGraphqlSchema } from '../../../src/graphql/schema.js';
import { Client, type GraphqlAnswer } from '../../support/client.js';
import { QUICK_HASHER } from '../../support/core.js';
import { fakeClock } from '../../support/fake-clock.js';
import { listen } from '../../support/feed.js';
import { ERROR, keptLog } from '../../support/log-lines.js';
import { addAccounts, groupOf, join, PASSWORD, type Person } from '../../support/people.js';
import { startTestService, type TestService } from '../../support/service.js';
import { documentOf, OPERATIONS, type OperationName, type Scene } from '../operations.js';

const schema = buildGraphqlSchema();
const TTL_MS = 900_000;
const TOLERANCE_MS = 30_000;

/** What needs no token, by the schema: what is new is tried by itself. */
const PUBLIC = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => fieldOf(name)?.extensions.public === true);

function fieldOf(name: OperationName) {
  return (OPERATIONS[name].kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[name];
}

function documentFor(name: OperationName): string {
  return documentOf(name, Object.fromEntries((fieldOf(name)?.args ?? []).map((argument) => [argument.name, String(argument.type)])));
}

describe.each(['yoga', 'apollo'])('with %s', (engine) => {
  const clock = fakeClock();
  const { log, lines } = keptLog();
  let service: TestService;
  let ada: Person;
  let scenes = 0;
  let scene: Scene;
  /** Every header that opens nothing, by what it is. */
  let stale: Readonly<Record<string, string>>;

  beforeAll(async () => {
    service = await startTestService({ clock, log, hasher: QUICK_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    const expired = await join(service);
    clock.advance(TTL_MS + TOLERANCE_MS);
    ada = await join(service, 'ada');
    const loggedOut = await join(service);
    await loggedOut.data('mutation { revokeToken(input: {}) { revokedSessions } }');
    const [memberId = ''] = await addAccounts(service, 1);
    scene = { groupId: await groupOf(ada, [{ id: memberId }]), owner: ada, member: { id: memberId }, stranger: { username: 'ada' }, freeName: '', newAddress: '' };
    const [headerPart, claimsPart] = ada.token.split('.');
    stale = {
      TOKEN_EXPIRED: `Bearer ${expired.token}`, TOKEN_REVOKED: `Bearer ${loggedOut.token}`, 'unsigned': `Bearer ${String(headerPart)}.${String(claimsPart)}.`,
      'nonsense': 'Bearer nonsense', 'an unknown key': 'Bearer cvn_nonsense', 'another scheme': 'Basic YWRhOmFkYQ==', 'no scheme': 'nonsense', 'two': `Bearer ${ada.token}, Bearer ${ada.token}`,
      'nothing': 'Bearer', 'an empty header': '', 'text beyond ASCII': 'Bearer t\u00f6ken', 'a very long one': `Bearer ${'x'.repeat(8_000)}`,
    };
  });
  afterAll(() => service.remove());

  async function newRefreshToken(): Promise<string> {
    const { body } = await new Client(service.url).post('/api/auth/token', { username: 'ada', password: PASSWORD });
    return (body as { refresh_token: string }).refresh_token;
  }

  /** What the operation takes when it is to succeed, where that is possible without a mail. */
  async function variablesFor(name: OperationName): Promise<Readonly<Record<string, unknown>>> {
    scenes += 1;
    if (name === 'refreshToken' || name === 'revokeToken') return { input: { refreshToken: await newRefreshToken() } };
    return OPERATIONS[name].variables({ ...scene, freeName: `newcomer-${scenes}` });
  }

  const outcomeOf = ({ status, errors, data }: GraphqlAnswer): unknown[] =>
    [status, errors?.map(({ extensions: { code, reason } }) => [code, reason]), data === null || data === undefined ? data : Object.keys(data)];

  describe('a header that opens nothing', () => {
    it.each(PUBLIC)('changes nothing of what %s does for everyone (hasura#9650)', async (name) => {
      const expected = outcomeOf(await new Client(service.url).graphql(documentFor(name), await variablesFor(name)));
      for (const [what, authorization] of Object.entries(stale)) {
        expect([what, ...outcomeOf(await new Client(service.url).graphql(documentFor(name), await variablesFor(name), { authorization }))]).toEqual([what, ...expected]);
      }
    });

    it('is told of where a token is needed, with no bug and no data, while fields for everyone go on answering (graphile/crystal#1847)', async () => {
      for (const [what, authorization] of Object.entries(stale)) {
        const client = new Client(service.url);
        const reason = what.startsWith('TOKEN_') ? what : 'TOKEN_INVALID';
        const rest = await client.get('/api/auth/me', { authorization });
        expect([what, rest.status, (rest.body as { reason: unknown }).reason, rest.headers.get('www-authenticate')]).toEqual([what, 401, reason, 'Bearer error="invalid_token"']);
        for (const document of ['{ me { id } }', '{ __typename me { id } invitation(secret: "nonsense") { groupName } }', `mutation { createGroup(input: {name: "Late"}) { group { id } } }`, 'query { ...A } fragment A on Query { me { id } }']) {
          for (const accept of ['application/json', 'application/graphql-response+json']) {
            const { status, data, errors } = await client.graphql(document, {}, { authorization, accept });
            expect([what, status, data, errors?.[0]?.extensions.code, errors?.[0]?.extensions.reason]).toEqual([what, 200, null, 'UNAUTHENTICATED', reason]);
            expect(errors).toHaveLength(1);
          }
        }
        expect((await client.graphql('{ __typename __schema { queryType { name } } }', {}, { authorization })).data).toEqual({ __typename: 'Query', __schema: { queryType: { name: 'Query' } } });
        expect((await client.graphql('query ($id: UUID!) { group(id: $id) { id } }', { id: 'nonsense' }, { authorization })).errors?.[0]?.extensions.reason).toBe(reason);
      }
    });

    it('begins no stream', async () => {
      for (const what of ['TOKEN_EXPIRED', 'TOKEN_REVOKED'] as const) {
        const feed = await listen(service, stale[what]?.replace('Bearer ', '') ?? '', scene.groupId, { afterRevision: 0 });
        expect(await feed.ended).toBe('complete');
        expect([feed.changes, feed.reasons]).toEqual([[], [what]]);
      }
    });
  });

  it('a token is taken in every spelling of its scheme, by queries and by streams', async () => {
    for (const authorization of [`bearer ${ada.token}`, `BEARER ${ada.token}`, `BeArEr    ${ada.token}`]) {
      expect((await new Client(service.url).graphql('{ me { id } }', {}, { authorization })).data).toEqual({ me: { id: ada.id } });
      const { text } = await new Client(service.url).post('/graphql', { query: '{ me { id } }' }, { authorization, accept: 'text/event-stream' });
      expect(text).toContain(ada.id);
    }
  });

  it('nothing of this was a bug, and nothing was written', async () => {
    expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    expect((await service.database.pool.query('select 1 from groups')).rowCount).toBe(1);
  });
});
