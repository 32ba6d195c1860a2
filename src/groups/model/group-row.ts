import type { StoredGroup } from './group-view.js';
import type { Counts } from './response-counts.js';

/** Row of a group, with its counts as columns. */
export interface GroupRow extends Omit<StoredGroup, 'counts'>, Counts {}

/** SQL for the columns of a `GroupRow`, from the group as `g`. */
export const GROUP_COLUMNS = `
    g.id, g.name, g.description, g.quorum, g.respond_by as "respondBy", g.required_at_deadline as "requiredAtDeadline",
    g.cancelled_at as "cancelledAt", g.state, g.state_changed_at as "stateChangedAt", g.created_at as "createdAt",
    g.revision, g.answers_revision as "answersRevision", g.pending_count as pending, g.accepted_count as accepted,
    g.tentative_count as tentative, g.declined_count as declined, g.open_invitations as "openInvitations",
    g.lapsed_invitations as "lapsedInvitations"`;

export function groupFromRow(row: GroupRow): StoredGroup {
  const {
    id,
    name,
    description,
    quorum,
    respondBy,
    requiredAtDeadline,
    cancelledAt,
    state,
    stateChangedAt,
    createdAt,
  } = row;
  const { revision, answersRevision, pending, accepted, tentative, declined, openInvitations, lapsedInvitations } = row;
  const counts = { pending, accepted, tentative, declined, openInvitations, lapsedInvitations };
  const rule = { quorum, respondBy, requiredAtDeadline, cancelledAt };
  return { id, name, description, ...rule, state, stateChangedAt, createdAt, revision, answersRevision, counts };
}
