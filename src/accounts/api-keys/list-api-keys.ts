import type { Database } from '../../database/index.js';
import { requireAdmin, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import { ApiKey } from './api-key.entity.js';

export interface ListApiKeysDeps extends GetViewerDeps {
  readonly database: Database;
}

/** Maximum number of keys in one HTTP response. */
export const MAX_LISTED_API_KEYS = 1_000;

/**
 * Lists the API keys, newest first, expired ones included.
 *
 * @param limit maximum number of keys; absent for all
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 */
export async function listApiKeys(deps: ListApiKeysDeps, actor: AdminActor, limit?: number): Promise<ApiKey[]> {
  await requireAdmin(deps, actor);
  return deps.database
    .fork()
    .findAll(ApiKey, { orderBy: { createdAt: 'desc', id: 'desc' }, ...(limit === undefined ? {} : { limit }) });
}
