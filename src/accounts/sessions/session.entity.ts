import { OptionalProps } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';

/** One login with its refreshes. Access tokens name it in their `sid` claim. Revoking a session deletes its row. */
@Entity({ tableName: 'session' })
@Index({ name: 'session_of_user', properties: ['userId'] })
@Index({ name: 'session_expired', properties: ['expiresAt'] })
export class Session {
  [OptionalProps]?: 'generation';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @ManyToOne({ entity: () => Account, mapToPk: true, deleteRule: 'cascade' })
  userId!: string;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** Number of the current refresh token, from 1. */
  @Property({ type: 'integer', default: 1 })
  generation = 1;

  /** When the current refresh token was created: at the login or at the last refresh. */
  @Property({ type: 'datetime', length: 3 })
  rotatedAt!: Date;

  /** Extended by every refresh, up to the maximum age of a session. */
  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  /** User agent of the last login or refresh; null when the client sent none. */
  @Property({ type: 'text', nullable: true })
  userAgent: string | null = null;

  /** IP address of that client. */
  @Property({ type: 'text', nullable: true })
  address: string | null = null;
}
