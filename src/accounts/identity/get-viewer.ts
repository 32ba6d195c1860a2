import { UnauthenticatedError } from '../../errors/index.js';
import type { AccountLoaders, ViewerView } from './account-loaders.js';
import { requireUser, type Actor } from './actor.js';

export interface GetViewerDeps {
  readonly loaders: AccountLoaders;
}

/**
 * Gets the profile of the signed-in user (specification, section 5, rule 1).
 *
 * @throws UnauthenticatedError with the reason why the token was rejected; `TOKEN_REVOKED` when the account is deleted
 *   or disabled
 */
export async function getViewer(deps: GetViewerDeps, actor: Actor): Promise<ViewerView> {
  const viewer = await deps.loaders.viewer(requireUser(actor).userId);
  if (viewer === null) throw new UnauthenticatedError('TOKEN_REVOKED');
  return viewer;
}
