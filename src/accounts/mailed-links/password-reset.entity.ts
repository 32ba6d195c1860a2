import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A link that was asked for; the mailed secret is derived from its id. It is gone once it was used. */
@Entity({ tableName: 'password_reset' })
export class PasswordReset {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  /** The address that somebody gave, whether or not an account has it. */
  @Property({ type: 'text' })
  emailKey!: string;

  /** Whose password it resets; null until the mail is sent. */
  @Property({ type: 'uuid', nullable: true })
  userId: string | null = null;

  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;
}
