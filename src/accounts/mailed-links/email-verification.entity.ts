import { Entity, Index, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';

/**
 * The latest address that an account was asked to verify.
 *
 * The secret of the mailed link is derived from the account id and the version. Another request gets another version,
 * which invalidates earlier links.
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

  @Property({ type: 'integer', fieldName: 'issue' })
  version!: number;

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  /** Null until the address was verified with this version. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  usedAt: Date | null = null;
}
