import { withClient } from './test-database.js';

/** A lock of the table would also stop requests that have not saved a key. */
const STOP = `
  create function wait_for_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
  create trigger wait_for_test before insert on idempotent_request for each row execute function wait_for_test();
  select pg_advisory_lock(1)`;

/**
 * Makes each request wait that saves an Idempotency-Key, with the key in use, until `work` calls `resume`.
 *
 * @param work ends after the requests that it has sent
 */
export async function withStoppedKeys<T>(
  databaseUrl: string,
  work: (resume: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  return withClient(databaseUrl, async (client) => {
    await client.query(STOP);
    try {
      return await work(() => client.query('select pg_advisory_unlock_all()'));
    } finally {
      await client.query('select pg_advisory_unlock_all(); drop function wait_for_test cascade');
    }
  });
}
