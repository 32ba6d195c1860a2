import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';

/** Result of a request under an Idempotency-Key; retained for one day. */
@Entity({ tableName: 'idempotent_request' })
@Index({ name: 'idempotent_request_age', properties: ['at'] })
@Index({ name: 'idempotent_request_account', properties: ['accountId'], where: 'account_id is not null' })
export class IdempotencyRecord {
  /** HMAC of the caller, the operation and the key. */
  @PrimaryKey({ type: 'Buffer', columnType: 'bytea' })
  keyMac!: Buffer;

  /** HMAC of the input without passwords. */
  @Property({
    type: 'Buffer',
    columnType: 'bytea',
    comment: 'An HMAC over what was asked for, without any password.',
  })
  requestMac!: Buffer;

  /** Ids and enum values. */
  @Property({ type: 'json', columnType: 'jsonb', fieldName: 'made' })
  storedResult!: unknown;

  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'cascade' })
  accountId: string | null = null;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;
}
