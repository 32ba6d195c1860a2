import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Record of an enqueued invitation mail, for the mail limits. Retained for a day. */
@Entity({ tableName: 'invitation_mail' })
export class InvitationMailRecord {
  @PrimaryKey({ type: 'uuid' })
  taskId!: string;

  /** Null after the inviter's account was deleted. */
  @Property({ type: 'uuid', nullable: true })
  inviterId!: string | null;

  @Property({ type: 'text' })
  emailKey!: string;

  @Property({ type: 'timestamptz(3)' })
  at!: Date;
}
