import type { Database } from '../database/index.js';
import { createGroupAccessLoaders, type GroupAccessLoaders } from './access/group-access-loader.js';
import { createGroupDetailsLoader, type GroupDetailsLoaders } from './access/group-details-loader.js';
import { createVisibleUserLoader, type VisibleUserLoaders } from './access/visible-user-loader.js';
import {
  createAccountDeletionLoaders,
  type AccountDeletionLoaders,
} from './account-deletion/affected-groups-loader.js';
import { createHistoryLoader, type HistoryLoaders } from './history/history-loader.js';
import { createInvitationAccessLoader, type InvitationAccessLoaders } from './invitations/invitation-access-loader.js';
import { createInvitationsLoader, type InvitationsLoaders } from './invitations/invitations-loader.js';
import { createMembersLoader, type MembersLoaders } from './membership/members-loader.js';
import { createMembershipLoader, type MembershipLoaders } from './membership/membership-loader.js';
import { createLatestScoreLoader, type LatestScoreLoaders } from './scores/latest-score-loader.js';
import { createScoresLoader, type ScoresLoaders } from './scores/scores-loader.js';

/** All batch loaders of groups. */
export interface GroupLoaders
  extends
    GroupAccessLoaders,
    GroupDetailsLoaders,
    VisibleUserLoaders,
    MembershipLoaders,
    MembersLoaders,
    HistoryLoaders,
    LatestScoreLoaders,
    ScoresLoaders,
    InvitationsLoaders,
    InvitationAccessLoaders,
    AccountDeletionLoaders {}

export function createGroupLoaders(database: Database): GroupLoaders {
  return {
    ...createGroupAccessLoaders(database),
    groupDetails: createGroupDetailsLoader(database),
    visibleUser: createVisibleUserLoader(database),
    membership: createMembershipLoader(database),
    members: createMembersLoader(database),
    history: createHistoryLoader(database),
    latestScore: createLatestScoreLoader(database),
    scores: createScoresLoader(database),
    invitations: createInvitationsLoader(database),
    invitationAccess: createInvitationAccessLoader(database),
    ...createAccountDeletionLoaders(database),
  };
}
