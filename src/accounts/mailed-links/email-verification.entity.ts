import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * The latest address that an account was asked to verify.
 *
 * The secret of the mailed link is derived from the account id and the version. Another request gets another version,
 * which invalidates earlier links.
 */
@Entity({ tableName: 'email_verification' })
export class EmailVerification {
  @PrimaryKey({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  emailKey!: string;

  @Property({ type: 'integer', fieldName: 'issue' })
  version!: number;

  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;

  /** Null until the address was verified with this version. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  usedAt: Date | null = null;
}
