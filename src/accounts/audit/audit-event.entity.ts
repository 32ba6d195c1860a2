import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { AuditAction } from './audit-actions.js';

/** Ids, numbers and words; never secrets, addresses or names of people. */
export type AuditDetail = Readonly<Record<string, string | number | readonly string[] | null>>;

/** Something done that matters to security, written in the transaction that did it. */
@Entity({ tableName: 'audit_event' })
export class AuditEvent {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'timestamptz(3)' })
  at!: Date;

  @Property({ type: 'text' })
  action!: AuditAction;

  /** Who did it; null for the command line and the clock, and once the account is gone. */
  @Property({ type: 'uuid', nullable: true })
  actorId: string | null = null;

  /** Whose account it concerns; null for none, and once that is gone. */
  @Property({ type: 'uuid', nullable: true })
  subjectId: string | null = null;

  @Property({ type: 'json', columnType: 'jsonb', nullable: true })
  detail: AuditDetail | null = null;
}
