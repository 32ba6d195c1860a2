import { Entity, Index, ManyToOne, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { OutboxTask } from '../../database/index.js';
import { Account } from '../identity/account.entity.js';

/**
 * Recipient of a security notice: the address that the account had at the time of the event. An attacker may have
 * replaced it before the mail is sent.
 *
 * Deleted when the mail was sent, or by the next pruning after the task has `FAILED`.
 */
@Entity({ tableName: 'notice_recipient' })
@Index({ name: 'notice_recipient_of_user', properties: ['userId'] })
export class NoticeRecipient {
  /** The outbox task that sends the mail. */
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
