import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { AuditAction } from './audit-actions.js';

/** Ids, numbers and enum values; never secrets, addresses or names. */
export type AuditDetail = Readonly<Record<string, string | number | readonly string[] | null>>;

/** A security-relevant action, recorded in the transaction that performed it. */
@Entity({ tableName: 'audit_event' })
export class AuditEvent {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'timestamptz(3)' })
  at!: Date;

  @Property({ type: 'text' })
  action!: AuditAction;

  /** The account that acted; null for the operator and the system, and after the account was deleted. */
  @Property({ type: 'uuid', nullable: true })
  actorId: string | null = null;

  /** The account concerned; null for none, and after it was deleted. */
  @Property({ type: 'uuid', nullable: true })
  subjectId: string | null = null;

  @Property({ type: 'json', columnType: 'jsonb', nullable: true })
  detail: AuditDetail | null = null;
}
