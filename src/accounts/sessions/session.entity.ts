import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** One login with its refreshes. Access tokens name it in their `sid` claim. Revoking a session deletes its row. */
@Entity({ tableName: 'session' })
export class Session {
  [OptionalProps]?: 'generation';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;

  /** Number of the current refresh token, from 1. */
  @Property({ type: 'integer' })
  generation = 1;

  /** When the current refresh token was created: at the login or at the last refresh. */
  @Property({ type: 'timestamptz(3)' })
  rotatedAt!: Date;

  /** Extended by every refresh, up to the maximum age of a session. */
  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;

  /** User agent of the last login or refresh; null when the client sent none. */
  @Property({ type: 'text', nullable: true })
  userAgent: string | null = null;

  /** IP address of that client. */
  @Property({ type: 'text', nullable: true })
  address: string | null = null;
}
