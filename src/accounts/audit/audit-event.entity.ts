import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';
import type { AuditAction } from './audit-actions.js';

/** Ids, numbers and enum values; never secrets, addresses or names. */
export type AuditDetail = Readonly<Record<string, string | number | readonly string[] | null>>;

/** A security-relevant action, recorded in the transaction that performed it. */
@Entity({ tableName: 'audit_event' })
@Index({
  name: 'audit_event_order',
  columns: [
    { name: 'at', sort: 'desc' },
    { name: 'id', sort: 'desc' },
  ],
})
@Index({
  name: 'audit_event_actor',
  columns: [{ name: 'actor_id' }, { name: 'at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
  where: 'actor_id is not null',
})
@Index({
  name: 'audit_event_subject',
  columns: [{ name: 'subject_id' }, { name: 'at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
  where: 'subject_id is not null',
})
export class AuditEvent {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;

  @Property({ type: 'text' })
  action!: AuditAction;

  /** The account that acted; null for the operator and the system, and after the account was deleted. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  actorId: string | null = null;

  /** The account concerned; null for none, and after it was deleted. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  subjectId: string | null = null;

  @Property({ type: 'json', columnType: 'jsonb', nullable: true })
  detail: AuditDetail | null = null;
}
