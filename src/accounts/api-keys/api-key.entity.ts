import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ApiKeyScope } from '../identity/api-key-scope.js';

/** The key of a program; the secret itself is shown once and only its hash is kept. */
@Entity({ tableName: 'api_key' })
export class ApiKey {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  name!: string;

  /** The first characters of the secret, by which people recognise it. */
  @Property({ type: 'text' })
  prefix!: string;

  /** SHA-256 of the secret, which is random enough to need no salt. */
  @Property({ type: 'Buffer', columnType: 'bytea' })
  secretHash!: Buffer;

  @Property({ type: 'string[]', columnType: 'text[]' })
  scopes!: ApiKeyScope[];

  /** Null for every group. */
  @Property({ type: 'string[]', columnType: 'uuid[]', nullable: true })
  groupIds: string[] | null = null;

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;

  /** Null for a key that does not expire. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  expiresAt: Date | null = null;

  /** To within a minute; null while it was never used. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  lastUsedAt: Date | null = null;
}
