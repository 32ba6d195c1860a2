import type { BatchLoader, Database } from '../database/index.js';
import type { MemberView } from './model/member-view.js';
import { type DeletionReads, deletionReads } from './account-deletion/leaving-groups.js';
import { createGroupAccessLoader, type GroupAccessKey, type GroupAccess } from './access/group-access-loader.js';
import { createLatestScoreLoader } from './scores/latest-score-loader.js';
import { createMembershipLoader, type MembershipKey } from './membership/membership-loader.js';
import { type HistoryLoader, createHistoryLoader } from './history/history-loader.js';
import { type InvitationsLoader, createInvitationsLoader } from './invitations/invitations-loader.js';
import { type MembersLoader, createMembersLoader } from './membership/members-loader.js';
import { type SequencedScore, createScoresLoader, type ScoresLoader } from './scores/scores-loader.js';

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
