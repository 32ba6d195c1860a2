import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** What was made under an Idempotency-Key; kept for a day. */
@Entity({ tableName: 'idempotent_request' })
export class IdempotencyRecord {
  /** An HMAC over who asks, for what, and the key. */
  @PrimaryKey({ type: 'Buffer', columnType: 'bytea' })
  keyMac!: Buffer;

  /** An HMAC over what was asked for, without any password. */
  @Property({ type: 'Buffer', columnType: 'bytea' })
  requestMac!: Buffer;

  /** Ids of what was made, and words about them. */
  @Property({ type: 'json', columnType: 'jsonb', fieldName: 'made' })
  storedResult!: unknown;

  @Property({ type: 'uuid', nullable: true })
  accountId: string | null = null;

  @Property({ type: 'timestamptz(3)' })
  at!: Date;
}
