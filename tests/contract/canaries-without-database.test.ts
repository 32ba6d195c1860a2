import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFaultProxy, type FaultProxy } from '../support/database/fault-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestClient } from '../support/http/test-client.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { waitUntil } from '../support/wait-until.js';
import { findMarks, SECRET, TEXT } from './canaries/marks.js';
import { eventsIn, rawLog } from './canaries/raw-log.js';

const log = rawLog();
const ada = { username: `${TEXT}-ada`, password: `${SECRET} lanterns` };
let database: TestDatabase;
let proxy: FaultProxy;
let service: TestService;
let anonymous: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFaultProxy(database.url);
  service = await startTestService({ databaseUrl: proxy.url, hasher: FAKE_HASHER, log: log.log });
  anonymous = new TestClient(service.url);
  await anonymous.post('/api/auth/register', ada);
});
afterAll(async () => {
  proxy.restore();
  await service.remove();
  await proxy.stop();
  await database.drop();
});

describe('canary values while the database is disconnected', () => {
  it.each([
    [
      'a registration',
      'register_account',
      () =>
        anonymous.post('/api/auth/register', {
          username: `${TEXT}-ben`,
          password: ada.password,
          email: `${TEXT}@mail.example.org`,
          display_name: TEXT,
        }),
    ],
    ['a login', 'session', () => anonymous.post('/api/auth/token', ada)],
    [
      'a request for a reset',
      'password_reset',
      () =>
        anonymous.graphql(
          'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }',
          { input: { email: `${TEXT}@mail.example.org` } },
        ),
    ],
  ])('are in no log and no response: %s', async (_, statement, send) => {
    proxy.disconnectAt(statement, 1);
    const { text } = await send();
    expect(text).toContain('"DATABASE_UNAVAILABLE"');
    expect(findMarks(text)).toEqual([]);
    proxy.restore();
    await waitUntil(
      'the database is reached again',
      async () => (await anonymous.post('/api/auth/token', ada)).status === 200,
    );
    expect(findMarks(log.text())).toEqual([]);
  });

  it('leave a log line of the outage, and no unexpected error', () => {
    expect(
      eventsIn(log.text())
        .map(({ msg }) => String(msg))
        .filter((msg) => !msg.startsWith('Security: ')),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/cannot be reached$/)]));
    expect(log.text()).not.toContain('Unexpected error while handling a request');
  });
});
