import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';

/** What was made under an Idempotency-Key; kept for a day. */
@Entity({ tableName: 'idempotent_request' })
@Index({ name: 'idempotent_request_age', properties: ['at'] })
@Index({ name: 'idempotent_request_account', properties: ['accountId'], where: 'account_id is not null' })
export class IdempotencyRecord {
  /** An HMAC over who asks, for what, and the key. */
  @PrimaryKey({ type: 'Buffer', columnType: 'bytea' })
  keyMac!: Buffer;

  /** An HMAC over what was asked for, without any password. */
  @Property({
    type: 'Buffer',
    columnType: 'bytea',
    comment: 'An HMAC over what was asked for, without any password.',
  })
  requestMac!: Buffer;

  /** Ids of what was made, and words about them. */
  @Property({ type: 'json', columnType: 'jsonb' })
  made!: unknown;

  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'cascade' })
  accountId: string | null = null;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;
}
