import type { EntityManager } from '@mikro-orm/postgresql';
import { isOlderThanSql, type RetentionRule } from '../../database/index.js';
import { newId } from '../identity/new-id.js';
import type { AuditAction } from './audit-actions.js';
import { AuditEvent, type AuditDetail } from './audit-event.entity.js';

export interface NewAuditEvent {
  readonly action: AuditAction;
  /** Null for the operator and the system. */
  readonly actorId: string | null;
  /** Null when the event concerns no account, or one that is being erased. */
  readonly subjectId: string | null;
  readonly detail?: AuditDetail;
}

/** Records an audit event in the caller's transaction. */
export function recordAuditEvent(
  em: EntityManager,
  { action, actorId, subjectId, detail }: NewAuditEvent,
  now: Date,
): void {
  em.persist(em.create(AuditEvent, { id: newId(), at: now, action, actorId, subjectId, detail: detail ?? null }));
}

/** Records an action of users on their own account. */
export function recordSelfAuditEvent(
  em: EntityManager,
  action: AuditAction,
  userId: string,
  now: Date,
  detail?: AuditDetail,
): void {
  recordAuditEvent(
    em,
    { action, actorId: userId, subjectId: userId, ...(detail === undefined ? {} : { detail }) },
    now,
  );
}

/** Records that users revoked sessions of their own; records nothing for an empty list. */
export function recordSessionsRevoked(em: EntityManager, userId: string, sessionIds: string[], now: Date): string[] {
  if (sessionIds.length > 0) recordSelfAuditEvent(em, 'sessions.revoked', userId, now, { sessionIds });
  return sessionIds;
}

/** @param retentionMs null to retain audit events forever */
export function auditRetentionRules(retentionMs: number | null): readonly RetentionRule[] {
  if (retentionMs === null) return [];
  return [{ table: 'audit_event', ageColumn: 'at', condition: isOlderThanSql('at', retentionMs) }];
}
