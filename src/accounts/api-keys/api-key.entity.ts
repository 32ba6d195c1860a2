import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';

export const API_KEY_SCOPES = ['groups:read', 'responses:write', 'scores:write'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** The key of a program; the secret itself is shown once and only its hash is kept. */
@Entity({ tableName: 'api_key' })
@Unique({ name: 'api_key_secret_hash_unique', properties: ['secretHash'] })
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

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** Null for a key that does not expire. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  expiresAt: Date | null = null;

  /** To within a minute; null while it was never used. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  lastUsedAt: Date | null = null;
}
