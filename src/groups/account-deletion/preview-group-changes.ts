import type { Clock } from '../../accounts/index.js';
import { groupFromRow } from '../model/group-row.js';
import { projectState, type GroupState } from '../model/group-state.js';
import { toGroupView, type GroupView } from '../model/group-view.js';
import { membershipFromRow } from '../model/membership-row.js';
import { adjustCounts } from '../model/response-counts.js';
import type { AccountDeletionLoaders, AffectedGroupRow, AffectedGroupsQuery } from './affected-groups-loader.js';

export interface GroupChangePreview {
  readonly group: GroupView;
  readonly before: GroupState;
  /** State without the account; often equal to `before`. */
  readonly after: GroupState;
}

export interface PreviewGroupChangesDeps {
  readonly loaders: AccountDeletionLoaders;
  readonly clock: Clock;
}

/** Computes the states that groups would have without an account. Changes nothing. */
export async function previewGroupChanges(
  { loaders, clock }: PreviewGroupChangesDeps,
  query: AffectedGroupsQuery,
): Promise<GroupChangePreview[]> {
  const rows = await loaders.affectedGroups(query);
  const now = clock.now();
  return rows.map((row) => previewGroupChange(row, now));
}

function previewGroupChange(row: AffectedGroupRow, now: Date): GroupChangePreview {
  const stored = groupFromRow(row);
  const membership = membershipFromRow(row);
  const group = toGroupView(
    stored,
    now,
    membership === null
      ? { viewerIsInvitee: true, viewerMembership: null, compatibilityScore: null }
      : { viewerMembership: membership },
  );
  const after = projectState(stored, now, (counts) => {
    if (membership !== null) adjustCounts(counts, membership.status, null);
    counts.openInvitations -= row.openInvitationsToAccount;
    counts.lapsedInvitations -= row.lapsedInvitationsToAccount;
  });
  return { group, before: group.state, after };
}
