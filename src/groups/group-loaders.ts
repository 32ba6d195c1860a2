import type { BatchLoader, Database } from '../database/index.js';
import { createGroupAccessLoader, type GroupAccess, type GroupAccessKey } from './access/group-access-loader.js';
import { deletionReads, type DeletionReads } from './account-deletion/leaving-groups.js';
import { createHistoryLoader, type HistoryLoader } from './history/history-loader.js';
import { createInvitationsLoader, type InvitationsLoader } from './invitations/invitations-loader.js';
import { createMembersLoader, type MembersLoader } from './membership/members-loader.js';
import { createMembershipLoader, type MembershipKey } from './membership/membership-loader.js';
import type { MemberView } from './model/member-view.js';
import { createLatestScoreLoader } from './scores/latest-score-loader.js';
import { createScoresLoader, type ScoresLoader, type SequencedScore } from './scores/scores-loader.js';

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
