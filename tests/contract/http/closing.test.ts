import { describe, expect, it } from '@jest/globals';
import { openRawConnection, requestHead } from '../../support/http/raw-http.js';
import { startTestService } from '../../support/service/test-service.js';
import { waitUntil } from '../../support/wait-until.js';

const BODY = '{"query": "{ __typename }"}';
const HEAD = requestHead(
  'POST /graphql HTTP/1.1',
  'Host: convene',
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
);

const PROBLEM = /\r\ncontent-type: application\/problem\+json.*"reason":"SHUTTING_DOWN"/s;
const GRAPHQL_ERROR = /\r\ncontent-type: application\/json.*"extensions":\{.*"reason":"SHUTTING_DOWN"/s;

function get(path: string): string {
  return requestHead(`GET ${path} HTTP/1.1`, 'Host: convene');
}

describe('a service that closes', () => {
  it.each([
    ['GET /api/auth/me', get('/api/auth/me'), PROBLEM],
    ['GET /graphql', get('/graphql?query={__typename}'), GRAPHQL_ERROR],
    ['POST /graphql', HEAD + BODY, GRAPHQL_ERROR],
  ])('refuses %s on an open connection in the format of its path', async (_name, request, refusal) => {
    const service = await startTestService();
    const connection = await openRawConnection(service.url);
    // The service waits for the body.
    connection.send(HEAD);
    await waitUntil('the request has arrived', async () => (await fetch(`${service.url}/livez`)).ok);
    const removed = service.remove();
    await waitUntil('the service accepts no connections', () =>
      fetch(`${service.url}/livez`).then(
        () => false,
        () => true,
      ),
    );
    connection.send(BODY + request);
    const [, second = ''] = (await connection.waitForClose()).split('{"data":{"__typename":"Query"}}');
    expect(second).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/s);
    expect(second).toMatch(/\r\nx-request-id: [\w.-]+\r\n/);
    expect(second).toMatch(refusal);
    await removed;
  });
});
