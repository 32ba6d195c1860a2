import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** One invitation mail that was queued; kept for a day, for the limits on them. */
@Entity({ tableName: 'invitation_mail' })
export class InvitationMailRecord {
  @PrimaryKey({ type: 'uuid' })
  taskId!: string;

  @Property({ type: 'uuid', nullable: true })
  inviterId!: string | null;

  @Property({ type: 'text' })
  emailKey!: string;

  @Property({ type: 'timestamptz(3)' })
  at!: Date;
}
