import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { parseRawResponse, type RawResponse } from '../../support/http/raw-response.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const SERVER_SECRET = Buffer.alloc(32, 1).toString('base64');
const REQUEST_ID = 'X-Request-Id: odd';
const MALFORMED = [
  {
    message: expect.any(String),
    extensions: { code: 'MALFORMED_REQUEST', reason: 'MALFORMED_REQUEST', requestId: 'odd' },
  },
];
const TYPE = encodeURIComponent('{__typename}');
const SKIPPED = 'a:invitation(secret:$s)@skip(if:true){groupName}';
/**
 * A parser that leaves the text undecoded because of %zz sees one long string before `__typename`. A parser that
 * decodes the rest sees `__schema`.
 */
const HIDDEN = `query($s:String="%zz%22){${SKIPPED}b:__schema{queryType{name}}}%23"){__typename+${SKIPPED}}`;
const SCHEMA = '{__schema{queryType{name}}}';
const MANY = Array.from({ length: 21 }, (_, index) => `a${index}:__typename`).join(' ');

let engines: readonly TestService[] = [];
beforeAll(async () => {
  engines = await Promise.all(
    ['yoga', 'apollo'].map((engine) =>
      startTestService({
        hasher: FAKE_HASHER,
        settings: { GRAPHQL_ENGINE: engine, NODE_ENV: 'production', SERVER_SECRET, GRAPHQL_COST: '500' },
      }),
    ),
  );
});
afterAll(() => Promise.all(engines.map((engine) => engine.remove())));

/** Node's HTTP parser errors have a request id of their own. */
function withoutOwnId(response: string): RawResponse {
  return parseRawResponse(response.replaceAll(/"request_id":"[^"]*"/g, '"request_id":""'));
}

/** Sends a request to both engines and requires equal responses. */
async function ask(target: string, host = 'convene', method = 'GET'): Promise<RawResponse> {
  const request = Buffer.from(
    requestHead(
      `${method} ${target} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: close',
      'Accept: application/json',
      REQUEST_ID,
    ),
    'latin1',
  );
  const [yoga, apollo] = (await Promise.all(engines.map(({ url }) => sendRawRequest(url, request)))).map(withoutOwnId);
  if (yoga === undefined || apollo === undefined) throw new Error('an engine is missing');
  expect({ target, host, status: apollo.status, body: apollo.body, type: apollo.headers['content-type'] }).toEqual({
    target,
    host,
    status: yoga.status,
    body: yoga.body,
    type: yoga.headers['content-type'],
  });
  return yoga;
}

describe('a GraphQL request in a URL', () => {
  it('gets the same response from both engines when it is well-formed', async () => {
    for (const target of [
      `/graphql?query=${TYPE}`,
      '/graphql?query={__typename}',
      `/graphql/?&&query=${TYPE}&variables={}&extensions={}`,
      `/graphql?query=query+A%7B__typename%7D&operationName=A`,
      `/graphql?query=${encodeURIComponent(HIDDEN.replaceAll('+', ' '))}`,
      'http://convene/graphql?query={__typename}',
    ]) {
      expect(await ask(target)).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
    }
  });

  it.each([
    'query=%zz',
    'query=%',
    'query=%7',
    `query=${TYPE}%zz`,
    `query=${TYPE}%ff`,
    `query=${TYPE}%23%ed%a0%80`,
    `query=${TYPE}%23%c0%80`,
    `query=${TYPE}&variables=%7B%22n%22%3A%221%zz%22%7D`,
    `query=${TYPE}&operationName=%zz`,
    `query=${TYPE}&%zz`,
    `query=${TYPE}&%zz=1`,
    `query=${TYPE}&%71uery=${TYPE}`,
    `query=${TYPE}&query=${TYPE}`,
    `query=${TYPE}&variables={}&variables={}`,
    `query=${TYPE}&extensions={}&extensions={}`,
    `query=${TYPE}&operationName=A&operationName=A`,
    `query[]=${TYPE}`,
    `query=${TYPE}#x`,
    HIDDEN,
    `query=${HIDDEN}`,
    `query=${TYPE}&variables=null`,
  ])('is rejected with 400 when it is malformed: %s', async (query) => {
    expect(await ask(`/graphql?${query}`)).toMatchObject({ status: 400, body: { errors: MALFORMED } });
  });

  it('is rejected with 400 when it is not ASCII', async () => {
    expect(await ask(`/graphql?query=${TYPE}%23\u00e4`)).toMatchObject({
      status: 400,
      body: { code: 'MALFORMED_REQUEST' },
    });
  });

  it.each(['[', 'foo bar', '%zz', '@', `x/?query=${TYPE}&`, 'x/?variables={"n":1000}&'])(
    'is rejected with 400 at the Host %s',
    async (host) => {
      expect(await ask(`/graphql?query=${TYPE}`, host)).toMatchObject({ status: 400, body: { errors: MALFORMED } });
    },
  );

  it.each([
    `query=${SCHEMA}`,
    `query=${encodeURIComponent(SCHEMA)}`,
    `query=%7B__schema{queryType{name}}}`,
    `query=${HIDDEN.replace('%zz', 'zz')}`,
  ])('reveals nothing of the schema in production: %s', async (query) => {
    const { status, text } = await ask(`/graphql?${query}`);
    expect({ status, hasSchema: text.includes('"queryType"') }).toEqual({ status: 200, hasSchema: false });
    expect(text).toContain('"GRAPHQL_VALIDATION_FAILED"');
  });

  it('is checked against the limits with the variables that are executed', async () => {
    const query = encodeURIComponent('query($n:Int!){me{memberships(first:$n){nodes{status}}}}');
    expect(await ask(`/graphql?query=${query}&variables={"n":1000}`)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { limit: { name: 'cost' } } }] },
    });
    expect(await ask(`/graphql?query=${query}&variables={"n":1}`)).toMatchObject({
      status: 200,
      body: { errors: [{ extensions: { reason: 'TOKEN_MISSING' } }] },
    });
    expect(await ask(`/graphql?query=${encodeURIComponent(`{${MANY}}`)}`)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { limit: { name: 'aliases' } } }] },
    });
  });

  it('gets the same response to HEAD', async () => {
    for (const query of [`query=${TYPE}`, 'query=%zz', `query=${SCHEMA}`])
      expect((await ask(`/graphql?${query}`, 'convene', 'HEAD')).text).toBe('');
  });
});

const PIECES = [
  'query',
  'variables',
  'operationName',
  'extensions',
  '__proto__',
  '=',
  '=',
  '=',
  '&',
  '&',
  ';',
  '?',
  '#',
  '%',
  '%zz',
  '%00',
  '%0A',
  '%22',
  '%23',
  '%25',
  '%26',
  '%3D',
  '%2',
  '%ff',
  '%ed%a0%80',
  '%C3%A4',
  '+',
  '"',
  '\\',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  '{__typename}',
  '%7B__typename%7D',
  '{"n":1000}',
  '{"n":1}',
  'null',
  'A',
  'query+A{__typename}',
  SCHEMA,
  MANY.replaceAll(' ', '+'),
  'query($n:Int!){me{memberships(first:$n){nodes{status}}}}',
  'mutation{revokeToken{revoked}}',
  '/',
  '//',
  '@',
  ':',
  ' x',
  '\u00e4',
  '\u007f',
];
const HOSTS = [
  'convene',
  'convene:80',
  '[::1]',
  '[',
  'foo bar',
  '%zz',
  '@',
  'x/?',
  'x?query={__typename}&',
  '',
  'x#',
  'a,b',
  '\u00e4',
];
const TARGETS = [
  '/graphql?',
  '/graphql?',
  '/graphql?query={__typename}&',
  '/graphql?query=query($n:Int!){me{memberships(first:$n){nodes{status}}}}&variables=',
  '/graphql/?',
  '/graphql#',
  '/graphql',
  'http://convene/graphql?',
  'http://',
  '/%67raphql?',
  '',
];

describe('an odd request', () => {
  const parts = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 });

  it('gets the same response from both engines, no unexpected error, and bypasses no check', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TARGETS), parts, fc.constantFrom(...HOSTS), async (begin, pieces, host) => {
        const { status, text } = await ask(begin + pieces.join(''), host);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
        expect(text).not.toContain('"queryType"');
      }),
      { numRuns: 400 },
    );
  }, 60_000);

  it('is parsed only once: Host does not change the executed document', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.constantFrom('convene', '[::1]:1', 'a.b', 'convene:80'), async (pieces, host) => {
        const target = `/graphql?query={__typename}&${pieces.join('')}`;
        const [one, other] = [await ask(target), await ask(target, host)];
        expect({ status: other.status, body: other.body }).toEqual({ status: one.status, body: one.body });
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
