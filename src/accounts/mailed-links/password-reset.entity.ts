import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';

/** A requested reset link. The mailed secret is derived from its id. Deleted when the link is used. */
@Entity({ tableName: 'password_reset' })
@Index({ name: 'password_reset_of_user', properties: ['userId'], where: 'user_id is not null' })
@Index({ name: 'password_reset_age', properties: ['expiresAt'] })
export class PasswordReset {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  /** The address in the request, whether or not an account has it. */
  @Property({ type: 'text' })
  emailKey!: string;

  /** The account whose password it resets; null until the mail is sent. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'cascade' })
  userId: string | null = null;

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;
}
