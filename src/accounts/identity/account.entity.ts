import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const ACCOUNT_ROLES = ['USER', 'ADMIN'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/**
 * One registered person.
 *
 * Its columns are read-only: they are written on a `LockedAccount`, which is read under the row's lock.
 */
@Entity({ tableName: 'account' })
export class Account {
  [OptionalProps]?: 'roles';

  @PrimaryKey({ type: 'uuid' })
  readonly id!: string;

  /** As typed, in NFC. */
  @Property({ type: 'text' })
  readonly username!: string;

  /** What makes a username unique; see `usernameKey`. */
  @Property({ type: 'text' })
  readonly usernameKey!: string;

  @Property({ type: 'text', nullable: true })
  readonly email: string | null = null;

  @Property({ type: 'text', nullable: true })
  readonly emailKey: string | null = null;

  /** Null while nobody has shown that the address is theirs. */
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

  /** When the account was deleted; null for any other. The row remains, without personal data, until nothing refers to it. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  deletedAt: Date | null = null;

  @Property({ type: 'timestamptz(3)' })
  readonly createdAt!: Date;

  @Property({ type: 'timestamptz(3)', nullable: true })
  readonly lastLoginAt: Date | null = null;
}
