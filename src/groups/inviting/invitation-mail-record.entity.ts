import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../../accounts/index.js';

/** One invitation mail that was queued; kept for a day, for the limits on them. */
@Entity({ tableName: 'invitation_mail' })
@Index({ name: 'invitation_mail_of_inviter', properties: ['inviterId', 'at'] })
@Index({ name: 'invitation_mail_to_address', properties: ['emailKey', 'at'] })
@Index({ name: 'invitation_mail_age', properties: ['at'] })
export class InvitationMailRecord {
  @PrimaryKey({ type: 'uuid' })
  taskId!: string;

  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  inviterId!: string | null;

  @Property({ type: 'text' })
  emailKey!: string;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;
}
