export { findMissingGroups } from './access/find-missing-groups.js';
export { getGroup, requireReadScope } from './access/get-group.js';
export { type DeletionTotals } from './account-deletion/affected-groups-loader.js';
export { type DeletionEffect } from './account-deletion/deletion-effect.js';
export {
  type GroupChangePreview,
  previewGroupChanges,
  type PreviewGroupChangesDeps,
} from './account-deletion/preview-group-changes.js';
export { removeAccountFromGroups } from './account-deletion/remove-account-from-groups.js';
export { findOwnedGroupsWithOthers, requireNoSoleOwnership } from './account-deletion/sole-ownership.js';
export { ChangeFeed, type ChangeFeedDeps } from './change-feed/change-feed.js';
export { type SubscriptionCaller } from './change-feed/subscription-guard.js';
export { watchGroup, type WatchGroupParams } from './change-feed/watch-group.js';
export {
  claimInTransaction,
  claimInvitation,
  type ClaimInvitationParams,
  type InvitationClaim,
} from './claiming/claim-invitation.js';
export { CONSUME_INVITATION_TASK, consumeInvitation } from './claiming/consume-invitation.js';
export { withInvitedMemberships } from './claiming/lock-invited-memberships.js';
export { type GroupsDeps } from './deps.js';
export { createGroupLoaders, type GroupLoaders } from './group-loaders.js';
export { type GroupChangeView } from './history/group-change-view.js';
export { listHistory, type ListHistoryParams } from './history/list-history.js';
export { eraseAddress } from './invitations/erased-address.js';
export { EXPIRE_INVITATION_TASK, expireInvitation } from './invitations/expire-invitation.js';
export { getInvitedGroup } from './invitations/get-invited-group.js';
export { InvitationMailRecord } from './invitations/invitation-mail-record.entity.js';
export { type InvitationView } from './invitations/invitation-view.js';
export { Invitation } from './invitations/invitation.entity.js';
export { listGroupInvitations, listInbox } from './invitations/list-invitations.js';
export { findGroupOfInvitation } from './invitations/lock-invitation.js';
export { type InvitationPreview, isOpenInvitation, previewInvitation } from './invitations/preview-invitation.js';
export { revokeInvitation, type RevokeInvitationParams } from './invitations/revoke-invitation.js';
export { INVITATION_MAIL_TASK } from './inviting/email-inviter.js';
export { type InvitationMailLimits } from './inviting/invitation-mail-budget.js';
export {
  INVITE_OUTCOMES,
  type InviteOutcome,
  type InviteResult,
  type InviteToGroupResult,
} from './inviting/invite-result.js';
export { inviteToGroup, type InviteToGroupParams } from './inviting/invite-to-group.js';
export { type InviteeParams, MAX_INVITEES } from './inviting/invitee-params.js';
export { sendInvitationMail } from './inviting/send-invitation-mail.js';
export { cancelGroup, type CancelGroupParams } from './lifecycle/cancel-group.js';
export { createGroup, type CreateGroupParams } from './lifecycle/create-group.js';
export { type GroupFields } from './lifecycle/group-fields.js';
export { RECORD_DEADLINE_TASK, recordDeadline } from './lifecycle/record-deadline.js';
export { updateGroup, type UpdateGroupParams } from './lifecycle/update-group.js';
export { changeMemberRole, type ChangeMemberRoleParams } from './membership/change-member-role.js';
export { findMember, findViewerMembership } from './membership/find-member.js';
export { leaveGroup, type LeaveGroupParams } from './membership/leave-group.js';
export { listMembers, type ListMembersParams } from './membership/list-members.js';
export { listMemberships, type ListMembershipsParams } from './membership/list-memberships.js';
export { removeMember, type RemoveMemberParams } from './membership/remove-member.js';
export {
  updateMemberStatus,
  type UpdateMemberStatusParams,
  type UpdateMemberStatusResult,
} from './membership/update-member-status.js';
export { whatIf, type WhatIfParams } from './membership/what-if.js';
export { CompatibilityScore } from './model/compatibility-score.entity.js';
export { CHANGE_CAUSES, type ChangeCause, GroupChange } from './model/group-change.entity.js';
export { GROUP_STATES, type GroupState } from './model/group-state.js';
export { type GroupView, type MembershipView } from './model/group-view.js';
export { Group } from './model/group.entity.js';
export { type MemberView } from './model/member-view.js';
export { GROUP_ROLES, type GroupRole, Member } from './model/member.entity.js';
export { type Counts, RESPONSE_STATUSES, ResponseCounts, type ResponseStatus } from './model/response-counts.js';
export { type ScoreView } from './model/score-view.js';
export { GROUP_RETENTION_RULES } from './retention-rules.js';
export { findCompatibilityScore } from './scores/find-compatibility-score.js';
export { listScoreHistory } from './scores/list-score-history.js';
export { recordCompatibilityScore, type RecordCompatibilityScoreParams } from './scores/record-compatibility-score.js';
export { type GroupTurn, GroupWriteQueue } from './transaction/group-write-queue.js';
export { type GroupPayload, type GroupWriteDeps, lockGroups } from './transaction/with-locked-group.js';
