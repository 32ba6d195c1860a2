import { Migration } from '@mikro-orm/migrations';

/**
 * Erases what was kept of registrations under an Idempotency-Key: the HMAC over the request had the password in it. A
 * registration from before that is repeated finds its username taken.
 */
export class M012RegistrationKeys extends Migration {
  override readonly name = '012-registration-keys';

  up(): void {
    // Of all that is made under a key, only a registration is kept as an account's id.
    this.addSql(`
      delete from idempotent_request where made ->> 'userId' is not null;
      comment on column idempotent_request.request_mac is 'An HMAC over what was asked for, without any password.';
    `);
  }

  override down(): void {
    // The same goes for what was kept since: an earlier version would take each repetition for another request.
    this.addSql(`
      delete from idempotent_request where made ->> 'userId' is not null;
      comment on column idempotent_request.request_mac is null;
    `);
  }
}
