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
 * Revokes an API key: the next request with it is rejected. Changes that were made with it keep its name.
 *
 * @returns the revoked key
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws NotFoundError `API_KEY_NOT_FOUND`
 */
export async function revokeApiKey(deps: RevokeApiKeyDeps, actor: AdminActor, apiKeyId: string): Promise<ApiKey> {
  await requireAdmin(deps, actor);
  return inTransaction(deps.database, async (em) => {
    const actorId = await requireAdminInTransaction(em, actor);
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
