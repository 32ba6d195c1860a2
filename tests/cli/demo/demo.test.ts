import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/config/index.js';
import { ROUTES } from '../../../src/rest/index.js';
import { createTemporaryFolder, removeFolder } from '../../support/database/temporary-folder.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createCliFixture, runCaptured, type CliFixture } from '../fixtures/cli-fixture.js';

const OWN_SERVICE_LIMIT_MS = 300_000;

describe('convene demo beside a running service', () => {
  let fixture: CliFixture;
  const services: TestService[] = [];
  beforeAll(async () => {
    fixture = await createCliFixture();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.remove();
  });
  afterAll(() => fixture.close());

  async function demoOn(settings: Readonly<Record<string, string>>) {
    const service = await startTestService({ settings: { ...fixture.shared, ...settings } });
    services.push(service);
    const there = { PORT: new URL(service.url).port, DATA_DIR: service.settings.DATA_DIR };
    return () => fixture.conveneWith(there, 'demo');
  }

  it('uses it, over all documented paths and GraphQL, repeatedly', async () => {
    const demo = await demoOn({});
    const first = await demo();
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('the running service');
    for (const { method, path } of ROUTES) {
      if (DOCUMENTED.includes(path))
        expect(first.out).toMatch(new RegExp(`→ ${method} ${path.replaceAll(/:\w+/g, '[\\w-]+')}`));
    }
    for (const part of [
      'GraphQL mutation',
      '"verify_email","status":"DONE"',
      '"emailVerified":true',
      '"group_state":"confirmed"',
      '"compatibility_score":87.5',
      '"cause":"DEADLINE","after":"EXPIRED"',
      '"groupChanged"',
      '"outcome":"INVITATION_SENT"',
      'REFRESH_REUSED',
    ]) {
      expect(first.out).toContain(part);
    }
    expect(first.out).toMatch(/\n40 steps, 40 right$/);
    expect(first.out).not.toContain('\u001b');
    expect(await demo()).toMatchObject({ code: 0, err: '' });
  });

  it('ends at the first unexpected response and fails', async () => {
    const demo = await demoOn({ PASSWORD_MIN_LENGTH: '128' });
    const { code, out, err } = await demo();
    expect(code).toBe(1);
    expect(out).toMatch(/PASSWORD_TOO_SHORT.*WRONG\n\n1 steps, 0 right$/);
    expect(err).toContain('The status should have been 201.');
  });
});

const DOCUMENTED = [
  '/api/auth/register',
  '/api/auth/token',
  '/api/auth/me',
  '/api/groups/:group_id/accepted-count',
  '/api/groups/:group_id/members',
  '/api/groups/:group_id/compatibility_score',
  '/api/groups/:group_id/users/:user_id/status',
];

describe('convene demo without a running service', () => {
  let folder: string;
  const temporary = process.env['TMPDIR'];
  beforeAll(async () => {
    folder = await createTemporaryFolder();
    process.env['TMPDIR'] = folder;
  });
  afterAll(async () => {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    await removeFolder(folder);
  });

  function settings() {
    return loadConfig({ PORT: '1', DATA_DIR: `${folder}/none`, GRAPHQL_ENGINE: 'apollo', LOG_LEVEL: 'silent' }, folder);
  }

  it(
    'uses a temporary service and removes its data',
    async () => {
      const { code, out, err } = await runCaptured(['demo'], settings);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('a service of its own');
      expect(out).toMatch(/\n40 steps, 40 right$/);
      expect(await readdir(folder)).toEqual([]);
    },
    OWN_SERVICE_LIMIT_MS,
  );

  it(
    'removes the data when it is interrupted',
    async () => {
      const stop = new AbortController();
      stop.abort();
      expect(await runCaptured(['demo'], settings, stop.signal)).toMatchObject({ code: 130 });
      expect(await readdir(folder)).toEqual([]);
    },
    OWN_SERVICE_LIMIT_MS,
  );
});
