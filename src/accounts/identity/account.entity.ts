import { OptionalProps } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { ViolationError } from '../../database/index.js';
import { ConflictError } from '../../errors/index.js';

export const ACCOUNT_ROLES = ['USER', 'ADMIN'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/**
 * One registered user. The columns are read-only; they are written on a `LockedAccount`, which is read under the row
 * lock.
 */
@Entity({ tableName: 'account' })
@Unique({ name: 'account_username_key_unique', properties: ['usernameKey'] })
@ViolationError('account_username_key_unique', () => new ConflictError('USERNAME_TAKEN'))
// Any user can claim an address, so only a verified one is unique.
@Unique({ name: 'account_verified_email_unique', properties: ['emailKey'], where: 'email_verified_at is not null' })
@ViolationError('account_verified_email_unique', () => new ConflictError('EMAIL_TAKEN'))
// Created by hand, because MikroORM 7.2 has no operator classes.
@Index({
  name: 'account_username_prefix',
  expression: 'create index account_username_prefix on account (username_key text_pattern_ops)',
})
@Index({
  name: 'account_email_prefix',
  expression: 'create index account_email_prefix on account (email_key text_pattern_ops) where email_key is not null',
})
@Index({
  name: 'account_order',
  columns: [
    { name: 'created_at', sort: 'desc' },
    { name: 'id', sort: 'desc' },
  ],
})
@Check({ name: 'account_check', expression: '(email is null) = (email_key is null)' })
@Check({ name: 'account_check1', expression: 'email is not null or email_verified_at is null' })
@Check({
  name: 'account_deleted_is_empty',
  expression: `deleted_at is null or (disabled_at is not null and email is null and display_name is null
    and last_login_at is null and not 'ADMIN' = any(roles))`,
})
export class Account {
  [OptionalProps]?: 'roles';

  @PrimaryKey({ type: 'uuid' })
  readonly id!: string;

  /** As typed, in NFC. */
  @Property({ type: 'text' })
  readonly username!: string;

  /** Unique; see `usernameKey`. */
  @Property({ type: 'text' })
  readonly usernameKey!: string;

  @Property({ type: 'text', nullable: true })
  readonly email: string | null = null;

  @Property({ type: 'text', nullable: true })
  readonly emailKey: string | null = null;

  /** Null until the user has verified the address. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  readonly emailVerifiedAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  readonly displayName: string | null = null;

  @Property({ type: 'text' })
  readonly passwordHash!: string;

  @Property({ type: 'string[]', columnType: 'text[]', defaultRaw: `'{USER}'` })
  readonly roles: readonly AccountRole[] = ['USER'];

  @Property({ type: 'datetime', length: 3, nullable: true })
  readonly disabledAt: Date | null = null;

  /** Null unless the account was deleted. The row remains, without personal data, until no row refers to it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt: Date | null = null;

  @Property({ type: 'datetime', length: 3 })
  readonly createdAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  readonly lastLoginAt: Date | null = null;
}
