import { requireAuthenticated } from '../../accounts/index.js';
import { ForbiddenError } from '../../errors/index.js';
import type { RequestContext } from '../context/request-context.js';

/**
 * Requires the API key of a gateway.
 *
 * @throws UnauthenticatedError when the request has no valid key
 * @throws ForbiddenError `SCOPE_REQUIRED` for a user, and for a key without the scope `federation`
 */
export async function requireGateway(context: RequestContext): Promise<void> {
  const gateway = requireAuthenticated(await context.authenticateGateway());
  if (gateway.kind !== 'service' || !gateway.scopes.includes('federation'))
    throw new ForbiddenError('SCOPE_REQUIRED', { message: 'This takes an API key with the scope federation.' });
}

/** Whether the request has the API key of a gateway. */
export async function isGateway(context: RequestContext): Promise<boolean> {
  const gateway = await context.authenticateGateway();
  return gateway.kind === 'service' && gateway.scopes.includes('federation');
}
