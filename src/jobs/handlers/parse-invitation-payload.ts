import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';

/** @throws Error when the payload does not name an invitation, which no retry mends */
export function parseInvitationPayload({ invitationId, issue }: TaskPayload): { invitationId: string; issue: number } {
  if (typeof invitationId !== 'string' || typeof issue !== 'number')
    throw new Error('The payload names no invitation.');
  return { invitationId, issue };
}
