import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * Whom a security notice goes to. The address is the one that was the account's own when it happened: by the time that the
 * mail is sent, whoever it warns of may have put another in its place.
 *
 * Erased once the mail is sent; when it is given up, by the next pruning.
 */
@Entity({ tableName: 'notice_recipient' })
export class NoticeRecipient {
  /** The task that owes the mail. */
  @PrimaryKey({ type: 'uuid' })
  taskId!: string;

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'text' })
  email!: string;
}
