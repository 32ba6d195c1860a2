import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { PublicJwk } from './key-pair.js';

/** A key that signs access tokens, or did. */
@Entity({ tableName: 'signing_key' })
export class SigningKey {
  /** Thumbprint of the public key. */
  @PrimaryKey({ type: 'text' })
  kid!: string;

  /** For operators and tools; the service derives it from the private key. */
  @Property({ type: 'json', columnType: 'jsonb' })
  publicJwk!: PublicJwk;

  /** PKCS 8, sealed with the server secret. */
  @Property({ type: 'Buffer', columnType: 'bytea' })
  privateKeySealed!: Buffer;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** When it stops signing; its tokens stay valid until they expire. Null for the newest key. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  retiredAt: Date | null = null;
}
