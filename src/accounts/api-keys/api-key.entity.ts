import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { ApiKeyScope } from '../identity/api-key-scope.js';

/** The key of an API client. The secret is shown once; only its hash is stored. */
@Entity({ tableName: 'api_key' })
@Unique({ name: 'api_key_secret_hash_unique', properties: ['secretHash'] })
export class ApiKey {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  name!: string;

  /** First characters of the secret, shown to identify the key. */
  @Property({ type: 'text' })
  prefix!: string;

  /** SHA-256 of the secret. Needs no salt, because the secret is random. */
  @Property({ type: 'Buffer', columnType: 'bytea' })
  secretHash!: Buffer;

  @Property({ type: 'string[]', columnType: 'text[]' })
  scopes!: ApiKeyScope[];

  /** Null for every group. */
  @Property({ type: 'string[]', columnType: 'uuid[]', nullable: true })
  groupIds: string[] | null = null;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** Null for a key that does not expire. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  expiresAt: Date | null = null;

  /** Accurate to one minute; null until the first use. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  lastUsedAt: Date | null = null;
}
