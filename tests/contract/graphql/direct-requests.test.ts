import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Executor } from '../../../src/graphql/execution/executor.js';
import { sendForEncoded, type EncodedResponse } from '../../support/http/encoded-response.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, insertAccounts, registerUser, type TestUser } from '../../support/service/test-users.js';

const PATH = '/graphql';
const MEMBERS = 60;
const CREATE = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id description } } }';

/** The service, whose requests by POST are answered before Fastify, and one that Fastify answers. */
let services: TestService[];
let owners: TestUser[];
let groupIds: string[];

beforeAll(async () => {
  services = [
    await startTestService({ hasher: FAKE_HASHER }),
    await startTestService({ hasher: FAKE_HASHER, settings: { DIRECT_LANE: 'off' } }),
  ];
  owners = await Promise.all(services.map((service) => registerUser(service)));
  groupIds = await Promise.all(owners.map((owner) => createGroupViaApi(owner)));
  for (const [index, service] of services.entries()) {
    await service.database.pool.query(
      `insert into member (group_id, user_id, role, status, invited_at, revision)
       select $1, id, 'MEMBER', 'PENDING', now(), 1 from unnest($2::uuid[]) as id`,
      [groupIds[index], await insertAccounts(service, MEMBERS)],
    );
  }
});
afterAll(() => Promise.all(services.map((service) => service.remove())));

/** Sends an operation with no other headers than these and those that it needs. */
function post(index: number, body: object, headers: Readonly<Record<string, string>> = {}): Promise<EncodedResponse> {
  return sendForEncoded(`${String(services[index]?.url)}${PATH}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(owners[index]?.token)}`,
      'content-type': 'application/json',
      'x-request-id': 'my-id',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

describe('a GraphQL request that is answered before Fastify', () => {
  it.each<[string, object, Readonly<Record<string, string>>]>([
    ['a result', { query: '{ me { roles } }' }, {}],
    [
      'a result in the newer media type',
      { query: '{ me { roles } }' },
      { accept: 'application/graphql-response+json' },
    ],
    ['a long result', { query: `{ __type(name: "Group") { fields { name description } } }` }, {}],
    [
      'a compressed result',
      { query: `{ __type(name: "Group") { fields { name description } } }` },
      { 'accept-encoding': 'gzip' },
    ],
    ['an error of an operation', { query: '{ group(id: "0190163d-8694-739b-aea5-966c26f8ad90") { id } }' }, {}],
    ['invalid variables', { query: 'query ($id: UUID!) { group(id: $id) { id } }', variables: { id: 1 } }, {}],
    ['an invalid document', { query: '{ nothing }' }, {}],
    ['a malformed request', { query: 1 }, {}],
    ['no media type', { query: '{ me { roles } }' }, { accept: 'text/html' }],
    ['a stream', { query: '{ me { roles } }' }, { accept: 'text/event-stream' }],
    ['a token that is none', { query: '{ me { roles } }' }, { authorization: 'Bearer none' }],
  ])('gets the response that Fastify gives: %s', async (_name, body, headers) => {
    // Twice, since the second run of an operation is compiled.
    for (let run = 0; run < 2; run += 1) {
      const [direct, other] = await Promise.all([post(0, body, headers), post(1, body, headers)]);
      expect(comparableText(direct.text)).toBe(comparableText(other.text));
      expect([direct.status, comparable(direct.headers)]).toEqual([other.status, comparable(other.headers)]);
    }
  });

  it('runs a mutation once when its response is compressed', async () => {
    const description = 'A long description. '.repeat(80).trim();
    const input = { name: 'Once', description };
    const count = async (): Promise<number> =>
      (await services[0]?.database.pool.query(`select from groups where name = 'Once'`))?.rowCount ?? 0;
    const { headers, text } = await post(0, { query: CREATE, variables: { input } }, { 'accept-encoding': 'gzip' });

    expect(headers['content-encoding']).toBe('gzip');
    expect(text).toContain(description);
    expect(await count()).toBe(1);
  });

  it('validates an invalid document once', async () => {
    const findOperation = jest.spyOn(Executor.prototype, 'findOperation');
    const { text } = await post(0, { query: '{ unknownField }' });

    expect(text).toContain('Cannot query field \\"unknownField\\"');
    expect(findOperation).toHaveBeenCalledTimes(1);
    findOperation.mockRestore();
  });

  it('has its request id in the error and in the header of a compressed response', async () => {
    const query = `{ ${'a'.repeat(2_000)}: group(id: "0190163d-8694-739b-aea5-966c26f8ad90") { id } }`;
    const { headers, text } = await post(0, { query }, { 'accept-encoding': 'gzip', 'x-request-id': '' });

    expect(headers['content-encoding']).toBe('gzip');
    expect(text).toContain(`"requestId":"${String(headers['x-request-id'])}"`);
  });

  it('has its request id in the error and in the header, also without one of the client', async () => {
    const { headers, text } = await post(
      0,
      { query: '{ me { roles } }' },
      { authorization: 'Bearer none', 'x-request-id': '' },
    );

    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(text).toContain(String(headers['x-request-id']));
  });
});

/** Without the random delay after which a client of a stream reconnects. */
function comparableText(text: string): string {
  return text.replace(/^retry: \d+$/m, '');
}

/** Without what differs between any two responses. */
function comparable({ date, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return { ...headers, date: typeof date };
}
