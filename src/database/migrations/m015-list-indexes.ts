import { Migration } from '@mikro-orm/migrations';

/** What lists lacked an index for. */
export class M015ListIndexes extends Migration {
  override readonly name = '015-list-indexes';

  up(): void {
    this.addSql(`
      -- The administrators' list of follow-ups of every status; the other index begins with the status.
      create index outbox_task_follow_ups on outbox_task (created_at desc, id desc)
        where registered_user_id is not null;
    `);
  }

  override down(): void {
    this.addSql('drop index outbox_task_follow_ups;');
  }
}
