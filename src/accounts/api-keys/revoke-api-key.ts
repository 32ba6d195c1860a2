import { LockMode } from '@mikro-orm/core';
import { inTransaction, type Database } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import { requireAdmin, requireAdminInTransaction, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import type { Clock } from '../ports/clock.js';
import { ApiKey } from './api-key.entity.js';

export interface RevokeApiKeyDeps extends GetViewerDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Ends an API key for good: the next request with it is refused. What was done with it keeps its name.
 *
 * @returns the key that is gone
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws NotFoundError `API_KEY_NOT_FOUND`
 */
export async function revokeApiKey(deps: RevokeApiKeyDeps, by: AdminActor, apiKeyId: string): Promise<ApiKey> {
  await requireAdmin(deps, by);
  return inTransaction(deps.database, async (em) => {
    const actorId = await requireAdminInTransaction(em, by);
    const apiKey = await em.findOne(ApiKey, apiKeyId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (apiKey === null) throw new NotFoundError('API_KEY_NOT_FOUND');
    await em.nativeDelete(ApiKey, apiKeyId);
    recordAuditEvent(
      em,
      { action: 'api-key.revoked', actorId, subjectId: null, detail: { apiKeyId } },
      deps.clock.now(),
    );
    return apiKey;
  });
}
