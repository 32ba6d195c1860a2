import { type Actor, requireSelf } from '../../accounts/index.js';
import { statement } from '../../database/index.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupState } from '../group-state.js';
import { type GroupView, groupView } from '../group-view.js';
import { groupOfRow } from '../reads/group-row.js';
import { PLACE_COLUMNS, placeOfRow, type PlaceRow } from '../reads/place-row.js';
import { recount } from '../response-counts.js';
import { stateAfter } from '../state-after.js';
import { concernedGroups } from './concerned-groups.js';
import { fateOf } from './fate.js';

/** What deleting an account would lead to at this moment. */
export interface DeletionPreview {
  /** While there are any, the account cannot be deleted: others are in them, and nobody else owns them. */
  readonly blockingGroups: readonly GroupView[];
  /** The groups that go on without the account. */
  readonly changingGroups: readonly GroupChangePreview[];
  /** The unanswered invitations that stay, without an inviter. */
  readonly sentInvitations: number;
}

export interface GroupChangePreview {
  readonly group: GroupView;
  readonly before: GroupState;
  /** The same as before where the account made no difference. */
  readonly after: GroupState;
}

interface ConcernedRow extends PlaceRow {
  readonly hasOtherOwner: boolean;
  /** Invitations to the account's verified address. */
  readonly openToThem: number;
  readonly lapsedToThem: number;
}

const CONCERNED = statement<ConcernedRow>('concerned_groups', `
  select ${PLACE_COLUMNS},
    exists (select from member where group_id = g.id and role = 'OWNER' and user_id <> a.id) as "hasOtherOwner",
    asked.open as "openToThem", asked.lapsed as "lapsedToThem"
  from (${concernedGroups('$1')}) concerned
  join groups g on g.id = concerned.group_id
  join account a on a.id = $1
  left join member m on m.group_id = g.id and m.user_id = a.id
  cross join lateral (
    select count(*) filter (where status = 'OPEN')::integer as open, count(*) filter (where status = 'LAPSED')::integer as lapsed
    from invitation where group_id = g.id and email_key = a.email_key and a.email_verified_at is not null
  ) asked
  order by g.id`);

const SENT = statement<{ count: number }>('sent_invitations', `
  select count(*)::integer as count from invitation
  where invited_by_id = $1 and status in ('OPEN', 'LAPSED') and group_id <> all($2::uuid[])`);

/**
 * Shows what `deleteAccount` would do, and what keeps it from being done; it changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in, or somebody else
 */
export async function previewDeletion(
  { database, clock }: Pick<GroupsDeps, 'database' | 'clock'>,
  actor: Actor,
  userId: string,
): Promise<DeletionPreview> {
  requireSelf(actor, userId);
  const concerned = await database.read(CONCERNED, [userId]);
  const now = clock.now();
  const foreseen = concerned.map((row) => foresee(row, now));
  const ending = foreseen.flatMap(({ fate, group }) => (fate === 'ENDS_TOO' ? [group.id] : []));
  const [sent] = await database.read(SENT, [userId, ending]);
  return {
    blockingGroups: foreseen.flatMap(({ fate, group }) => (fate === 'BLOCKS' ? [group] : [])),
    changingGroups: foreseen.filter(({ fate }) => fate === 'GOES_ON' || fate === 'HANDED_ON'),
    sentInvitations: sent?.count ?? 0,
  };
}

function foresee(row: ConcernedRow, now: Date): GroupChangePreview & { readonly fate: ReturnType<typeof fateOf> } {
  const stored = groupOfRow(row);
  const place = placeOfRow(row);
  const group = groupView(stored, now, place === null ? { fromOutside: true, viewerMembership: null, compatibilityScore: null } : { viewerMembership: place });
  const after = stateAfter(stored, now, (counts) => {
    if (place !== null) recount(counts, place.status, null);
    counts.openInvitations -= row.openToThem;
    counts.lapsedInvitations -= row.lapsedToThem;
  });
  return { fate: fateOf({ group: stored, role: row.role, hasOtherOwner: row.hasOtherOwner }), group, before: group.state, after };
}
