import type { BatchedRead, Database } from '../../database/index.js';
import type { MemberView } from '../member-view.js';
import { type DeletionReads, deletionReads } from './leaving-groups.js';
import { groupSeenBy, type GroupSight, type SeenGroup } from './group-seen-by.js';
import { latestScore } from './latest-score.js';
import { membership, type Place } from './membership.js';
import { type HistoryRead, readHistory } from './read-history.js';
import { type InvitationsRead, readInvitations } from './read-invitations.js';
import { type MembersRead, readMembers } from './read-members.js';
import { type NumberedScore, readScores, type ScoresRead } from './read-scores.js';

/** The reads that nearly every request makes: plain rows, where it pays gathered over all requests of a turn. */
export interface GroupReads {
  readonly groupSeenBy: BatchedRead<GroupSight, SeenGroup>;
  readonly membership: BatchedRead<Place, MemberView>;
  readonly latestScore: BatchedRead<string, NumberedScore>;
  readonly members: MembersRead;
  readonly history: HistoryRead;
  readonly scores: ScoresRead;
  /** Those that nobody has answered. */
  readonly invitations: InvitationsRead;
  readonly deletion: DeletionReads;
}

export function groupReads(database: Database): GroupReads {
  return {
    groupSeenBy: groupSeenBy(database),
    membership: membership(database),
    latestScore: latestScore(database),
    members: readMembers(database),
    history: readHistory(database),
    scores: readScores(database),
    invitations: readInvitations(database),
    deletion: deletionReads(database),
  };
}
