import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';
import { PermanentError } from '../../errors/index.js';

/** @throws Error when `invitationId` or `issue` is missing; no retry can succeed */
export function parseInvitationPayload({ invitationId, issue }: TaskPayload): { invitationId: string; issue: number } {
  if (typeof invitationId !== 'string') throw new PermanentError('Task payload has no invitationId');
  if (typeof issue !== 'number') throw new PermanentError('Task payload has no issue');
  return { invitationId, issue };
}
