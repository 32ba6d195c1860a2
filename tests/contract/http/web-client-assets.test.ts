import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { TestClient } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = new TestClient(service.url);
});
afterAll(() => service.remove());

describe('the files of the web client', () => {
  it('are served under the paths that the page names, for ever', async () => {
    const { text: page } = await client.get('/app');
    const paths = [...page.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths).toHaveLength(2);
    for (const path of paths)
      expect((await client.get(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('are not found under the hash of another version', async () => {
    const instance = '/app/assets/000000000000/app-page.js';
    const reason = 'ROUTE_NOT_FOUND';
    expectProblem(await client.get(instance), { status: 404, code: 'NOT_FOUND', reason, instance });
  });
});
