import { describe, expect, it } from '@jest/globals';
import ormConfig from '../../../mikro-orm.config.js';
import { migrate } from '../../../src/database/index.js';
import { createTestDatabase, withClient } from '../../support/database/test-database.js';

describe('m012-registration-keys', () => {
  it('deletes the records of registrations, whose MAC covers the password, and no others', async () => {
    const database = await createTestDatabase();
    await withClient(database.url, async (client) => {
      await client.query(`delete from migration where name = '012-registration-keys'`);
      await client.query(`
      insert into idempotent_request (key_mac, request_mac, made, at) values
        ('\\x01', '\\x01', '{"userId": "0199a0c2-0000-7000-8000-00000000000a"}', now()),
        ('\\x02', '\\x02', '{"groupId": "0199a0c2-0000-7000-8000-00000000000b"}', now()),
        ('\\x03', '\\x03', '[["INVITED", "0199a0c2-0000-7000-8000-00000000000c"]]', now()),
        ('\\x04', '\\x04', '{"apiKeyId": "0199a0c2-0000-7000-8000-00000000000d"}', now())`);
      expect(await migrate(database.url, ormConfig)).toEqual(['012-registration-keys']);
      const { rows } = await client.query<{ mac: Buffer }>(
        'select key_mac as mac from idempotent_request order by key_mac',
      );
      expect(rows.map(({ mac }) => mac.toString('hex'))).toEqual(['02', '03', '04']);
    });
    await database.drop();
  });
});
