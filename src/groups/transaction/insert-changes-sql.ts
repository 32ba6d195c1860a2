import { copyCounts } from '../model/response-counts.js';
import type { NewGroupChange } from './group-ledger.js';

/**
 * SQL that inserts revisions.
 *
 * @param groups relation with the `id` of each group whose revisions are inserted
 * @param revisions parameter with the JSON of `revisionColumns` of each revision
 */
export function insertChangesSql(groups: string, revisions: string): string {
  return `
    insert into group_change (group_id, revision, cause, actor_id, api_key, subject_id, status, state_before,
      state_after, at, pending_count, accepted_count, tentative_count, declined_count, open_invitations,
      lapsed_invitations)
    select c.* from ${groups} g join json_to_recordset(${revisions}::json) as c (
      "groupId" uuid, revision integer, cause text, "actorId" uuid, "apiKey" text, "subjectId" uuid, status text,
      "stateBefore" text, "stateAfter" text, at timestamptz, pending integer, accepted integer, tentative integer,
      declined integer, "openInvitations" integer, "lapsedInvitations" integer) on c."groupId" = g.id`;
}

export function revisionColumns({ counts, ...revision }: NewGroupChange): object {
  return { ...revision, ...copyCounts(counts) };
}
