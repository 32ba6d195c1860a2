import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const ACCOUNT_ROLES = ['USER', 'ADMIN'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/**
 * One registered user. The columns are read-only; they are written on a `LockedAccount`, which is read under the row
 * lock.
 */
@Entity({ tableName: 'account' })
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
  @Property({ type: 'timestamptz(3)', nullable: true })
  readonly emailVerifiedAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  readonly displayName: string | null = null;

  @Property({ type: 'text' })
  readonly passwordHash!: string;

  @Property({ type: 'string[]', columnType: 'text[]' })
  readonly roles: readonly AccountRole[] = ['USER'];

  @Property({ type: 'timestamptz(3)', nullable: true })
  readonly disabledAt: Date | null = null;

  /** Null unless the account was deleted. The row remains, without personal data, until no row refers to it. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  deletedAt: Date | null = null;

  @Property({ type: 'timestamptz(3)' })
  readonly createdAt!: Date;

  @Property({ type: 'timestamptz(3)', nullable: true })
  readonly lastLoginAt: Date | null = null;
}
