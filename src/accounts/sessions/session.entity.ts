import { OptionalProps } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';

/** One login, for as long as it is refreshed; access tokens name it in their `sid` claim. A session that was ended has no row. */
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

  /** Which of its refresh tokens is the current one, counted from 1. */
  @Property({ type: 'integer', default: 1 })
  generation = 1;

  /** When the current generation was made: by logging in, or by refreshing. */
  @Property({ type: 'datetime', length: 3 })
  rotatedAt!: Date;

  /** Moves on with every refresh, but never beyond the longest life of a session. */
  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  /** What the client that last logged in or refreshed called itself; null when it did not. */
  @Property({ type: 'text', nullable: true })
  userAgent: string | null = null;

  /** Where that client was, as far as the service could tell. */
  @Property({ type: 'text', nullable: true })
  address: string | null = null;
}
