import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A requested reset link. The mailed secret is derived from its id. Deleted when the link is used. */
@Entity({ tableName: 'password_reset' })
export class PasswordReset {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  /** The address in the request, whether or not an account has it. */
  @Property({ type: 'text' })
  emailKey!: string;

  /** The account whose password it resets; null until the mail is sent. */
  @Property({ type: 'uuid', nullable: true })
  userId: string | null = null;

  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;
}
