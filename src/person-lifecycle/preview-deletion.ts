import { requireSelf, type Actor } from '../accounts/index.js';
import {
  previewGroupChanges,
  type DeletionEffect,
  type DeletionTotals,
  type GroupChangePreview,
  type GroupView,
  type PreviewGroupChangesDeps,
} from '../groups/index.js';
import { parsePageRequest, TIMESTAMP_CURSOR } from '../paging/index.js';

interface DeletionPreviewParams {
  readonly userId: string;
  /** Maximum number of groups, in ascending order of id; 1 to 1,000. Null for 100. */
  readonly first: number | null;
}

/**
 * Counts the effects of deleting the caller's account. Changes nothing.
 *
 * @throws UnauthenticatedError when the caller is not the user
 */
export async function countDeletionEffects(
  { loaders }: PreviewGroupChangesDeps,
  actor: Actor,
  userId: string,
): Promise<DeletionTotals> {
  requireSelf(actor, userId);
  return (await loaders.deletionTotals(userId)) ?? { userId, blockingGroups: 0, changingGroups: 0, sentInvitations: 0 };
}

/**
 * Lists the groups that block the deletion: they have other members, but no other owner.
 *
 * @throws UnauthenticatedError when the caller is not the user
 * @throws InvalidInputError `INVALID_INPUT` for `first`
 */
export async function listBlockingGroups(
  deps: PreviewGroupChangesDeps,
  actor: Actor,
  params: DeletionPreviewParams,
): Promise<GroupView[]> {
  return (await previewEffects(deps, actor, params, ['BLOCK_DELETION'])).map(({ group }) => group);
}

/**
 * Lists the groups that continue without the account, with the states that they would have.
 *
 * @throws UnauthenticatedError when the caller is not the user
 * @throws InvalidInputError `INVALID_INPUT` for `first`
 */
export function listChangingGroups(
  deps: PreviewGroupChangesDeps,
  actor: Actor,
  params: DeletionPreviewParams,
): Promise<GroupChangePreview[]> {
  return previewEffects(deps, actor, params, ['KEEP_GROUP', 'TRANSFER_OWNERSHIP']);
}

async function previewEffects(
  deps: PreviewGroupChangesDeps,
  actor: Actor,
  { userId, first }: DeletionPreviewParams,
  effects: readonly DeletionEffect[],
): Promise<GroupChangePreview[]> {
  requireSelf(actor, userId);
  const { size } = parsePageRequest({ first }, TIMESTAMP_CURSOR);
  return previewGroupChanges(deps, { userId, effects, first: size });
}
