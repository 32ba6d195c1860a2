import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Result of a request under an Idempotency-Key; retained for one day. */
@Entity({ tableName: 'idempotent_request' })
export class IdempotencyRecord {
  /** HMAC of the caller, the operation and the key. */
  @PrimaryKey({ type: 'Buffer', columnType: 'bytea' })
  keyMac!: Buffer;

  /** HMAC of the input without passwords. */
  @Property({ type: 'Buffer', columnType: 'bytea' })
  requestMac!: Buffer;

  /** Ids and enum values. */
  @Property({ type: 'json', columnType: 'jsonb', fieldName: 'made' })
  storedResult!: unknown;

  @Property({ type: 'uuid', nullable: true })
  accountId: string | null = null;

  @Property({ type: 'timestamptz(3)' })
  at!: Date;
}
