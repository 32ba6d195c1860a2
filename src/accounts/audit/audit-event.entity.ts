import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../identity/account.entity.js';
import type { AuditAction } from './audit-actions.js';

/** Ids, numbers and words; never secrets, addresses or names of people. */
export type AuditDetail = Readonly<Record<string, string | number | readonly string[] | null>>;

/** Something done that matters to security, written in the transaction that did it. */
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

  /** Who did it; null for the command line and the clock, and once the account is gone. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  actorId: string | null = null;

  /** Whose account it concerns; null for none, and once that is gone. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  subjectId: string | null = null;

  @Property({ type: 'json', columnType: 'jsonb', nullable: true })
  detail: AuditDetail | null = null;
}
