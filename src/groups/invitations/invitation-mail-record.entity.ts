import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../../accounts/index.js';

/** Record of an enqueued invitation mail, for the mail limits. Retained for a day. */
@Entity({ tableName: 'invitation_mail' })
@Index({ name: 'invitation_mail_of_inviter', properties: ['inviterId', 'at'] })
@Index({ name: 'invitation_mail_to_address', properties: ['emailKey', 'at'] })
@Index({ name: 'invitation_mail_age', properties: ['at'] })
export class InvitationMailRecord {
  @PrimaryKey({ type: 'uuid' })
  taskId!: string;

  /** Null after the inviter's account was deleted. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  inviterId!: string | null;

  @Property({ type: 'text' })
  emailKey!: string;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;
}
