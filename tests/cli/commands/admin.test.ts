import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';
import { registerAndSignIn } from '../fixtures/register-and-sign-in.js';

describe('convene admin grant', () => {
  let world: CliFixture;
  let service: TestService;
  beforeAll(async () => {
    world = await createCliFixture();
    service = await startTestService({ settings: world.shared });
  });
  afterAll(async () => {
    await service.remove();
    await world.close();
  });

  it('makes an administrator beside a running service, at once for a session that is open', async () => {
    const { me } = await registerAndSignIn(service.url, 'ada');
    expect(await me()).toMatchObject({ roles: ['user'] });
    expect(await world.convene('admin', 'grant', 'ADA')).toEqual({ code: 0, out: 'ada is an administrator.', err: '' });
    expect(await me()).toMatchObject({ roles: expect.arrayContaining(['admin']) });
  });

  it('says so when there is nobody of that name', async () => {
    expect(await world.convene('admin', 'grant', 'nobody')).toEqual({
      code: 1,
      out: '',
      err: 'There is no such user.',
    });
  });

  it('closes every connection', async () => {
    const { rows } = await withClient(world.databaseUrl, (client) =>
      client.query<{ count: number }>(
        'select count(*)::int as count from pg_stat_activity where datname = current_database() and ' +
          "application_name = 'convene'",
      ),
    );
    // The service's own remain.
    expect(rows[0]?.count).toBeLessThanOrEqual(10);
  });
});
