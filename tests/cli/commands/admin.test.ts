import { describe, expect, it } from '@jest/globals';
import { withClient } from '../../support/database/test-database.js';
import { registerAndSignIn } from '../fixtures/register-and-sign-in.js';
import { useCliWithService } from '../fixtures/use-cli-with-service.js';

describe('convene admin grant', () => {
  const running = useCliWithService();

  it('makes an administrator, effective immediately for an open session', async () => {
    const { me } = await registerAndSignIn(running.service.url, 'ada');
    expect(await me()).toMatchObject({ roles: ['user'] });
    expect(await running.fixture.convene('admin', 'grant', 'ADA')).toEqual({
      code: 0,
      out: 'ada is an administrator.',
      err: '',
    });
    expect(await me()).toMatchObject({ roles: expect.arrayContaining(['admin']) });
  });

  it('fails when no account has the username', async () => {
    expect(await running.fixture.convene('admin', 'grant', 'nobody')).toEqual({
      code: 1,
      out: '',
      err: 'There is no such user.',
    });
  });

  it('closes every connection', async () => {
    const { rows } = await withClient(running.fixture.databaseUrl, (client) =>
      client.query<{ count: number }>(
        'select count(*)::int as count from pg_stat_activity where datname = current_database() and ' +
          "application_name = 'convene'",
      ),
    );
    // The connections of the service remain.
    expect(rows[0]?.count).toBeLessThanOrEqual(10);
  });
});
