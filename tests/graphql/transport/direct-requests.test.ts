import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import type { ResolverDeps } from '../../../src/graphql/context/request-context.js';
import { createDirectLane } from '../../../src/graphql/engines/direct-lane.js';
import type { EngineRequest } from '../../../src/graphql/engines/engine.js';
import { Executor } from '../../../src/graphql/execution/executor.js';
import { DirectRequests, type DirectRequestsOptions } from '../../../src/graphql/transport/direct-requests.js';
import { PublicUrl } from '../../../src/http-core/index.js';
import { openRawConnection, requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { TestClient, type Request, type TestResponse } from '../../support/http/test-client.js';

const PATH = '/graphql';
const JSON_TYPE = { 'content-type': 'application/json' };
const LIMITS = { tokens: 1_000, depth: 10, aliases: 10, directives: 10, rootFields: 10, cost: 1_000 };
const BODY_LIMIT = 4_096;
const LONG = 2_000;
const PASSED_ON = 'passed on';

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      text: {
        type: GraphQLString,
        args: { length: { type: new GraphQLNonNull(GraphQLInt) } },
        resolve: (_, { length }: { readonly length: number }) => 'x'.repeat(length),
      },
    },
  }),
  subscription: new GraphQLObjectType({ name: 'Subscription', fields: { text: { type: GraphQLString } } }),
});

let server: Server;
let client: TestClient;
let direct: DirectRequests;
/** The operations that ran. */
let ran: EngineRequest[];
/** The requests that Fastify would answer. */
let passedOn: IncomingMessage[];

/** Starts a server that responds to each request that is passed on. */
async function serve(options: Partial<DirectRequestsOptions> = {}): Promise<void> {
  const executor = new Executor(schema, { introspection: true, limits: LIMITS });
  const lane = createDirectLane(executor);
  direct = new DirectRequests({
    executor,
    directLane: {
      ...lane,
      handle: (request) => {
        ran.push(request);
        return lane.handle(request);
      },
    },
    // An anonymous caller needs no more.
    resolverDeps: { emitSecurityEvent: () => undefined } as unknown as ResolverDeps,
    publicUrl: new PublicUrl('http://localhost:4000'),
    path: PATH,
    bodyLimitBytes: BODY_LIMIT,
    trustProxy: false,
    readsOrigin: false,
    commonHeaders: { 'x-common': 'yes' },
    ...options,
  });
  server = createServer((request, response) => {
    direct.handle(request, response, (passed, reply) => {
      passedOn.push(passed);
      reply.end(PASSED_ON);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new TestClient(url());
}

function url(): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${String(port)}`;
}

function post(query: string, { headers = {}, ...request }: Request = {}, path = PATH): Promise<TestResponse> {
  return client.send('POST', path, {
    headers: { 'accept-encoding': 'identity', ...JSON_TYPE, ...headers },
    body: JSON.stringify({ query }),
    ...request,
  });
}

function textOf(length: number): string {
  return `{ text(length: ${String(length)}) }`;
}

describe('DirectRequests', () => {
  beforeEach(() => {
    [ran, passedOn] = [[], []];
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('answers an operation by POST', async () => {
    await serve();
    const { status, headers, body } = await post(textOf(3), { headers: { 'x-request-id': 'my-id' } });

    expect({ status, body }).toEqual({ status: 200, body: { data: { text: 'xxx' } } });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '23',
      'cache-control': 'no-store',
      'x-request-id': 'my-id',
      'x-common': 'yes',
    });
    expect(passedOn).toEqual([]);
  });

  it('answers below a base path', async () => {
    await serve({ publicUrl: new PublicUrl('http://localhost:4000/base') });

    expect((await post(textOf(3), {}, '/base/graphql')).body).toEqual({ data: { text: 'xxx' } });
    expect(passedOn).toEqual([]);
  });

  it('reads a body that arrives in parts', async () => {
    await serve();
    const body = JSON.stringify({ query: textOf(3) });
    const connection = await openRawConnection(url());
    const head = ['POST /graphql HTTP/1.1', 'host: x', 'content-type: application/json'];
    connection.send(requestHead(...head, `content-length: ${String(body.length)}`) + body.slice(0, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    connection.send(body.slice(5));

    expect(await connection.waitForText('"xxx"')).toContain('HTTP/1.1 200 OK');
    connection.close();
  });

  it('serves others when a client disconnects before its body is complete', async () => {
    await serve();
    const connection = await openRawConnection(url());
    const head = ['POST /graphql HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 90'];
    connection.send(`${requestHead(...head)}{"query":`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    connection.close();

    expect((await post(textOf(3))).status).toBe(200);
    expect(ran).toHaveLength(1);
  });

  it('resolves the address of a client behind trusted proxies', async () => {
    await serve({ trustProxy: (_address, hop) => hop < 1 });
    await post(textOf(3), { headers: { 'x-forwarded-for': '192.0.2.7, 198.51.100.2' } });

    expect(ran[0]?.context.client.address).toBe('198.51.100.2');
  });

  it('ignores X-Forwarded-For when no proxy is trusted', async () => {
    await serve();
    await post(textOf(3), { headers: { 'x-forwarded-for': '192.0.2.7' } });

    expect(ran[0]?.context.client.address).toBe('127.0.0.1');
  });

  describe('passes on, without reading the body,', () => {
    it.each<[string, string, Request]>([
      ['another path', '/graphql/other', {}],
      ['a path with a query', '/graphql?a=b', {}],
      ['an empty body', PATH, { body: '' }],
      ['a body that is too large', PATH, { body: JSON.stringify({ query: ' '.repeat(BODY_LIMIT) }) }],
      ['another media type', PATH, { headers: { 'content-type': 'text/plain' } }],
      ['the origin of a script', PATH, { headers: { origin: 'https://app.example' } }],
    ])('%s', async (_name, path, request) => {
      await serve({ readsOrigin: true });

      expect((await post(textOf(3), request, path)).text).toBe(PASSED_ON);
      expect(ran).toEqual([]);
      expect(passedOn.map((passed) => direct.find(passed))).toEqual([undefined]);
    });

    it.each(['GET', 'PUT'])('a request by %s', async (method) => {
      await serve();
      const request = method === 'GET' ? {} : { json: { query: textOf(3) } };

      expect((await client.send(method, PATH, request)).text).toBe(PASSED_ON);
      expect(ran).toEqual([]);
    });

    it('a request with two Host headers', async () => {
      await serve();
      const body = JSON.stringify({ query: textOf(3) });
      const head = [
        'POST /graphql HTTP/1.1',
        'host: x',
        'host: y',
        'connection: close',
        'content-type: application/json',
      ];

      const message = requestHead(...head, `content-length: ${String(body.length)}`) + body;
      expect(await sendRawRequest(url(), message)).toContain(PASSED_ON);
      expect(ran).toEqual([]);
    });

    it('a request without Content-Length', async () => {
      await serve();
      const body = new Blob([JSON.stringify({ query: textOf(3) })]).stream();
      const init = { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' };
      const response = await fetch(url() + PATH, init);

      expect(await response.text()).toBe(PASSED_ON);
      expect(passedOn.map((passed) => direct.find(passed))).toEqual([undefined]);
    });

    it('all requests after it was stopped', async () => {
      await serve();
      direct.stop();

      expect((await post(textOf(3))).text).toBe(PASSED_ON);
      expect(ran).toEqual([]);
    });
  });

  it('answers whatever its origin when responses do not depend on it', async () => {
    await serve();

    expect((await post(textOf(3), { headers: { origin: 'https://app.example' } })).status).toBe(200);
    expect(passedOn).toEqual([]);
  });

  describe('passes on, with the body and without a response,', () => {
    it.each<[string, Request]>([
      ['a body that is not JSON', { body: '{' }],
      ['a document that does not parse', { body: '{"query":"{"}' }],
      ['an invalid document', { body: '{"query":"{ other }"}' }],
      ['a subscription', { body: '{"query":"subscription { text }"}' }],
      ['a stream', { headers: { accept: 'text/event-stream' } }],
      ['a media type that is not offered', { headers: { accept: 'text/html' } }],
      ['an encoded body', { headers: { 'content-encoding': 'gzip' } }],
    ])('%s', async (_name, request) => {
      await serve();

      expect((await post(textOf(3), request)).text).toBe(PASSED_ON);
      expect(ran).toEqual([]);
      const [known] = passedOn.map((passed) => direct.find(passed));
      expect(known?.body.toString()).toBe(request.body ?? JSON.stringify({ query: textOf(3) }));
      expect(known?.response).toBeNull();
    });
  });

  describe('passes on, with the response,', () => {
    it('what may be compressed', async () => {
      await serve();
      const headers = { 'accept-encoding': 'gzip', 'x-request-id': 'my-id' };
      const { text } = await post(textOf(LONG), { headers });

      expect(text).toBe(PASSED_ON);
      expect(ran).toHaveLength(1);
      const [known] = passedOn.map((passed) => direct.find(passed));
      expect(known?.requestId).toBe('my-id');
      expect((await known?.response)?.body).toContain('xxx');
    });

    it('the failure of an operation, which must not run again', async () => {
      const failure = new TypeError('The engine failed');
      await serve({ directLane: { handle: () => Promise.reject(failure), stop: () => Promise.resolve() } });

      expect((await post(textOf(3))).text).toBe(PASSED_ON);
      const [known] = passedOn.map((passed) => direct.find(passed));
      await expect(known?.response).rejects.toBe(failure);
    });
  });

  it('sends a long response itself to a client that accepts no compression', async () => {
    await serve();
    const body = JSON.stringify({ query: textOf(LONG) });
    const head = ['POST /graphql HTTP/1.1', 'host: x', 'connection: close', 'content-type: application/json'];
    const message = requestHead(...head, `content-length: ${String(body.length)}`) + body;

    expect(await sendRawRequest(url(), message)).toContain('xxx');
    expect(passedOn).toEqual([]);
  });
});
