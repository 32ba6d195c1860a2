import { Entity, Index, ManyToOne, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { OutboxTask } from '../../database/index.js';
import { Account } from '../identity/account.entity.js';

/**
 * Whom a security notice goes to. The address is the one that was the account's own when it happened: by the time that the
 * mail is sent, whoever it warns of may have put another in its place.
 *
 * Erased once the mail is sent; when it is given up, by the next pruning.
 */
@Entity({ tableName: 'notice_recipient' })
@Index({ name: 'notice_recipient_of_user', properties: ['userId'] })
export class NoticeRecipient {
  /** The task that owes the mail. */
  @OneToOne({
    entity: () => OutboxTask,
    owner: true,
    primary: true,
    mapToPk: true,
    deleteRule: 'cascade',
    updateRule: 'no action',
  })
  taskId!: string;

  @ManyToOne({ entity: () => Account, mapToPk: true, deleteRule: 'cascade' })
  userId!: string;

  @Property({ type: 'text' })
  email!: string;
}
