import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const ACCOUNT_ROLES = ['USER', 'ADMIN'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** One registered person. */
@Entity({ tableName: 'account' })
export class Account {
  [OptionalProps]?: 'roles';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  /** As typed, in NFC. */
  @Property({ type: 'text' })
  username!: string;

  /** What makes a username unique; see `usernameKey`. */
  @Property({ type: 'text' })
  usernameKey!: string;

  @Property({ type: 'text', nullable: true })
  email: string | null = null;

  @Property({ type: 'text', nullable: true })
  emailKey: string | null = null;

  /** Null while nobody has shown that the address is theirs. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  emailVerifiedAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  displayName: string | null = null;

  @Property({ type: 'text' })
  passwordHash!: string;

  @Property({ type: 'string[]', columnType: 'text[]' })
  roles: AccountRole[] = ['USER'];

  @Property({ type: 'timestamptz(3)', nullable: true })
  disabledAt: Date | null = null;

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;

  @Property({ type: 'timestamptz(3)', nullable: true })
  lastLoginAt: Date | null = null;
}
