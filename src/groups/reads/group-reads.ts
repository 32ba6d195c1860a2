import type { BatchLoader, Database } from '../../database/index.js';
import type { MemberView } from '../member-view.js';
import { type DeletionReads, deletionReads } from './leaving-groups.js';
import { createGroupAccessLoader, type GroupAccessKey, type GroupAccess } from './group-seen-by.js';
import { createLatestScoreLoader } from './latest-score.js';
import { createMembershipLoader, type MembershipKey } from './membership.js';
import { type HistoryLoader, createHistoryLoader } from './read-history.js';
import { type InvitationsLoader, createInvitationsLoader } from './read-invitations.js';
import { type MembersLoader, createMembersLoader } from './read-members.js';
import { type SequencedScore, createScoresLoader, type ScoresLoader } from './read-scores.js';

/** The reads that nearly every request makes: plain rows, where it pays gathered over all requests of a turn. */
export interface GroupLoaders {
  readonly groupSeenBy: BatchLoader<GroupAccessKey, GroupAccess>;
  readonly membership: BatchLoader<MembershipKey, MemberView>;
  readonly latestScore: BatchLoader<string, SequencedScore>;
  readonly members: MembersLoader;
  readonly history: HistoryLoader;
  readonly scores: ScoresLoader;
  /** Those that nobody has answered. */
  readonly invitations: InvitationsLoader;
  readonly deletion: DeletionReads;
}

export function createGroupLoaders(database: Database): GroupLoaders {
  return {
    groupSeenBy: createGroupAccessLoader(database),
    membership: createMembershipLoader(database),
    latestScore: createLatestScoreLoader(database),
    members: createMembersLoader(database),
    history: createHistoryLoader(database),
    scores: createScoresLoader(database),
    invitations: createInvitationsLoader(database),
    deletion: deletionReads(database),
  };
}
