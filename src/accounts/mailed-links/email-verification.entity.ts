import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * The latest address that an account was asked to prove.
 *
 * The mailed secret is derived from the account's id and `issue`; asking again gives it another `issue`, which ends the older secret.
 */
@Entity({ tableName: 'email_verification' })
export class EmailVerification {
  @PrimaryKey({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  emailKey!: string;

  @Property({ type: 'integer' })
  issue!: number;

  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;

  /** Null until the address was proven with this issue. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  usedAt: Date | null = null;
}
