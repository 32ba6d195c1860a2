import { Entity, Index, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';

/**
 * The latest address that an account was asked to prove.
 *
 * The mailed secret is derived from the account's id and `issue`; asking again gives it another `issue`, which ends the older secret.
 */
@Entity({ tableName: 'email_verification' })
@Index({ name: 'email_verification_age', properties: ['expiresAt'] })
export class EmailVerification {
  @OneToOne({
    entity: () => Account,
    owner: true,
    primary: true,
    mapToPk: true,
    deleteRule: 'cascade',
    updateRule: 'no action',
  })
  userId!: string;

  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  emailKey!: string;

  @Property({ type: 'integer' })
  issue!: number;

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  /** Null until the address was proven with this issue. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  usedAt: Date | null = null;
}
