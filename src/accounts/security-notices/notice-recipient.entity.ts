import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * Recipient of a security notice: the address that the account had at the time of the event. An attacker may have
 * replaced it before the mail is sent.
 *
 * Deleted when the mail was sent, or by the next pruning after the task has `FAILED`.
 */
@Entity({ tableName: 'notice_recipient' })
export class NoticeRecipient {
  /** The outbox task that sends the mail. */
  @PrimaryKey({ type: 'uuid' })
  taskId!: string;

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'text' })
  email!: string;
}
