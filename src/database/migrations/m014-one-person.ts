import { Migration } from '@mikro-orm/migrations';

/**
 * Enqueues a task for each unanswered invitation to the verified address of a member. The task uses it up with the code
 * that computes counts, state and history; earlier versions counted such a user twice.
 */
export class M014OnePerson extends Migration {
  override readonly name = '014-one-person';

  up(): void {
    this.addSql(`
      insert into outbox_task (id, name, payload, status, created_at, due_at)
      select gen_random_uuid(), 'consume_invitation', jsonb_build_object('groupId', m.group_id, 'userId', m.user_id),
        'QUEUED', now(), now()
      from invitation i
      join account a on a.email_key = i.email_key and a.email_verified_at is not null
      join member m on m.group_id = i.group_id and m.user_id = a.id
      where i.status in ('OPEN', 'LAPSED');
    `);
  }

  override down(): void {
    this.addSql(`delete from outbox_task where name = 'consume_invitation';`);
  }
}
