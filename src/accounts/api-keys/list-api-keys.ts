import type { Database } from '../../database/index.js';
import { requireAdmin, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import { ApiKey } from './api-key.entity.js';

export interface ListApiKeysDeps extends GetViewerDeps {
  readonly database: Database;
}

/** What is shown of them at once over HTTP. */
export const MAX_LISTED_API_KEYS = 1_000;

/**
 * The API keys, the newest first, expired ones included. Their secrets are kept nowhere.
 *
 * @param most how many at most; absent for all
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 */
export async function listApiKeys(deps: ListApiKeysDeps, by: AdminActor, most?: number): Promise<ApiKey[]> {
  await requireAdmin(deps, by);
  return deps.database
    .fork()
    .findAll(ApiKey, { orderBy: { createdAt: 'desc', id: 'desc' }, ...(most === undefined ? {} : { limit: most }) });
}
