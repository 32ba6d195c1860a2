import { type Administrator, requireAdmin } from '../admin/administrator.js';
import type { AccountsDeps } from '../deps.js';
import { ApiKey } from './api-key.entity.js';

/**
 * Every API key, the newest first, expired ones included. Their secrets are kept nowhere.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 */
export async function listApiKeys(deps: Pick<AccountsDeps, 'database' | 'reads'>, by: Administrator): Promise<ApiKey[]> {
  await requireAdmin(deps, by);
  return deps.database.fork().findAll(ApiKey, { orderBy: { createdAt: 'desc', id: 'desc' } });
}
