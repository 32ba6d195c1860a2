import { requireSelf, type Actor } from '../../accounts/index.js';
import { parsePageRequest, TIMESTAMP_CURSOR } from '../../paging/index.js';
import { groupFromRow } from '../access/group-row.js';
import { membershipFromRow } from '../access/membership-row.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupState } from '../model/group-state.js';
import { toGroupView, type GroupView } from '../model/group-view.js';
import { projectState } from '../model/project-state.js';
import { adjustCounts } from '../model/response-counts.js';
import type { DeletionEffect } from './deletion-effect.js';
import type { DeletionTotals, LeavingRow } from './leaving-groups.js';

export interface GroupChangePreview {
  readonly group: GroupView;
  readonly before: GroupState;
  /** The same as before where the account made no difference. */
  readonly after: GroupState;
}

type PreviewDeps = Pick<GroupsDeps, 'loaders' | 'clock'>;

/** Which of an account's groups are asked for. */
export interface DeletionPreviewParams {
  readonly userId: string;
  /** How many at most, in the order of their ids; 1 to 1,000. */
  readonly first: number;
}

/**
 * How much deleting an account would lead to at this moment; it changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in, or somebody else
 */
export async function countDeletionEffects(
  { loaders }: PreviewDeps,
  actor: Actor,
  userId: string,
): Promise<DeletionTotals> {
  requireSelf(actor, userId);
  return (
    (await loaders.deletion.totals(userId)) ?? { userId, blockingGroups: 0, changingGroups: 0, sentInvitations: 0 }
  );
}

/**
 * The groups that others are in and nobody else owns: while there are any, the account cannot be deleted.
 *
 * @throws UnauthenticatedError when nobody is signed in, or somebody else
 * @throws InvalidInputError `INVALID_INPUT` for `first`
 */
export async function listBlockingGroups(
  deps: PreviewDeps,
  actor: Actor,
  params: DeletionPreviewParams,
): Promise<GroupView[]> {
  return (await foresee(deps, actor, params, ['BLOCKS'])).map(({ group }) => group);
}

/**
 * The groups that go on without the account, with what their states would be.
 *
 * @throws UnauthenticatedError when nobody is signed in, or somebody else
 * @throws InvalidInputError `INVALID_INPUT` for `first`
 */
export function listChangingGroups(
  deps: PreviewDeps,
  actor: Actor,
  params: DeletionPreviewParams,
): Promise<GroupChangePreview[]> {
  return foresee(deps, actor, params, ['GOES_ON', 'HANDED_ON']);
}

async function foresee(
  { loaders, clock }: PreviewDeps,
  actor: Actor,
  { userId, first }: DeletionPreviewParams,
  fates: readonly DeletionEffect[],
): Promise<GroupChangePreview[]> {
  requireSelf(actor, userId);
  parsePageRequest({ first }, TIMESTAMP_CURSOR);
  const rows = await loaders.deletion.groups({ userId, fates, first });
  const now = clock.now();
  return rows.map((row) => changeOf(row, now));
}

function changeOf(row: LeavingRow, now: Date): GroupChangePreview {
  const stored = groupFromRow(row);
  const place = membershipFromRow(row);
  const group = toGroupView(
    stored,
    now,
    place === null
      ? { viewerIsInvitee: true, viewerMembership: null, compatibilityScore: null }
      : { viewerMembership: place },
  );
  const after = projectState(stored, now, (counts) => {
    if (place !== null) adjustCounts(counts, place.status, null);
    counts.openInvitations -= row.openToThem;
    counts.lapsedInvitations -= row.lapsedToThem;
  });
  return { group, before: group.state, after };
}
