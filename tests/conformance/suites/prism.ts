import { once } from 'node:events';
import { createServer } from 'node:http';
import { clientOf, prismViolation, withPrismProxy, type PrismProxy } from '../rest/prism-proxy.js';
import { createRestFixture } from '../rest/rest-fixture.js';
import { restRequests, type RestRequest } from '../rest/rest-requests.js';
import type { Finding, Service, Suite } from '../suite.js';

const SKIPPED: readonly Finding[] = [
  {
    title: 'requests without a token',
    reason: 'Prism answers them itself with 401. tests/contract/rest/openapi.test.ts validates those responses.',
  },
  {
    title: 'a body that is no JSON',
    reason: 'Prism parses it, and never answers. tests/contract/rest/openapi.test.ts validates that response.',
  },
];

/** Sends requests of every path through a proxy that validates the responses against the OpenAPI document. */
export const prism: Suite = {
  name: 'prism',
  packages: ['@stoplight/prism-cli'],
  async run({ yoga }) {
    const requests = restRequests(await createRestFixture(yoga));
    const findings = await withPrismProxy(documentOf(yoga), yoga.url, (proxy) => checkAll(proxy, requests));
    const failed = [...findings, ...(await checkThatViolationsAreReported(yoga))];
    return { passed: requests.length + 1 - failed.length, failed, expected: [], skipped: SKIPPED };
  },
};

function documentOf({ url }: Service): string {
  return `${url}/openapi.json`;
}

/** One after another, because some depend on the responses before them. */
async function checkAll(proxy: PrismProxy, requests: readonly RestRequest[]): Promise<Finding[]> {
  const findings: (Finding | null)[] = [];
  for (const request of requests) findings.push(await check(proxy, request));
  return findings.filter((finding) => finding !== null);
}

async function check(
  proxy: PrismProxy,
  { title, method, path, status, token, ...request }: RestRequest,
): Promise<Finding | null> {
  const response = await clientOf(proxy, token).send(method, path, request);
  const violation = prismViolation(response);
  if (violation !== null) return { title, reason: violation };
  return response.status === status
    ? null
    : { title, reason: `${String(response.status)} instead of ${String(status)}: ${response.text}` };
}

/** Puts the proxy in front of a server whose profile is no profile. */
async function checkThatViolationsAreReported(service: Service): Promise<Finding[]> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"user_id": 1}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const response = await withPrismProxy(documentOf(service), `http://127.0.0.1:${String(port)}`, (proxy) =>
    clientOf(proxy, 'token').get('/api/auth/me'),
  );
  server.close();
  await once(server, 'close');
  return prismViolation(response) === null
    ? [{ title: 'a response that violates the document', reason: `was not reported: ${response.text}` }]
    : [];
}
