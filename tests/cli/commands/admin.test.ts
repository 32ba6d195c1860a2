import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '../../support/database/test-database.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';
import { registerAndSignIn } from '../fixtures/register-and-sign-in.js';

describe('convene admin grant', () => {
  let fixture: CliFixture;
  let service: TestService;
  beforeAll(async () => {
    fixture = await createCliFixture();
    service = await startTestService({ settings: fixture.shared });
  });
  afterAll(async () => {
    await service.remove();
    await fixture.close();
  });

  it('makes an administrator, effective immediately for an open session', async () => {
    const { me } = await registerAndSignIn(service.url, 'ada');
    expect(await me()).toMatchObject({ roles: ['user'] });
    expect(await fixture.convene('admin', 'grant', 'ADA')).toEqual({
      code: 0,
      out: 'ada is an administrator.',
      err: '',
    });
    expect(await me()).toMatchObject({ roles: expect.arrayContaining(['admin']) });
  });

  it('fails when no account has the username', async () => {
    expect(await fixture.convene('admin', 'grant', 'nobody')).toEqual({
      code: 1,
      out: '',
      err: 'There is no such user.',
    });
  });

  it('closes every connection', async () => {
    const { rows } = await withClient(fixture.databaseUrl, (client) =>
      client.query<{ count: number }>(
        'select count(*)::int as count from pg_stat_activity where datname = current_database() and ' +
          "application_name = 'convene'",
      ),
    );
    // The connections of the service remain.
    expect(rows[0]?.count).toBeLessThanOrEqual(10);
  });
});
