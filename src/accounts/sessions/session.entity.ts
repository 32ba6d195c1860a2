import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** One login, for as long as it is refreshed; access tokens name it in their `sid` claim. A session that was ended has no row. */
@Entity({ tableName: 'session' })
export class Session {
  [OptionalProps]?: 'generation';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;

  /** Which of its refresh tokens is the current one, counted from 1. */
  @Property({ type: 'integer' })
  generation = 1;

  /** When the current generation was made: by logging in, or by refreshing. */
  @Property({ type: 'timestamptz(3)' })
  rotatedAt!: Date;

  /** Moves on with every refresh, but never beyond the longest life of a session. */
  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;

  /** What the client that last logged in or refreshed called itself; null when it did not. */
  @Property({ type: 'text', nullable: true })
  userAgent: string | null = null;

  /** Where that client was, as far as the service could tell. */
  @Property({ type: 'text', nullable: true })
  address: string | null = null;
}
