import type {
  CancelGroupMutationVariables,
  ChangeMemberRoleMutationVariables,
  ClaimInvitationMutationVariables,
  CreateGroupMutationVariables,
  DeleteAccountMutationVariables,
  GroupChangedSubscriptionVariables,
  GroupQueryVariables,
  InviteByEmailMutationVariables,
  InviteToGroupMutationVariables,
  IssueTokenMutationVariables,
  LeaveGroupMutationVariables,
  RecordCompatibilityScoreMutationVariables,
  RegisterMutationVariables,
  RemoveMemberMutationVariables,
  RevokeInvitationMutationVariables,
  UpdateGroupMutationVariables,
  UpdateMemberStatusMutationVariables,
  WhatIfQueryVariables,
} from '../generated/example-operations.js';
import beforeLeaving from './examples/accounts/before-leaving.graphql';
import deleteAccount from './examples/accounts/delete-account.graphql';
import issueToken from './examples/accounts/issue-token.graphql';
import me from './examples/accounts/me.graphql';
import register from './examples/accounts/register.graphql';
import cancelGroup from './examples/groups/cancel-group.graphql';
import changeMemberRole from './examples/groups/change-member-role.graphql';
import createGroup from './examples/groups/create-group.graphql';
import groupChanged from './examples/groups/group-changed.graphql';
import group from './examples/groups/group.graphql';
import leaveGroup from './examples/groups/leave-group.graphql';
import recordCompatibilityScore from './examples/groups/record-compatibility-score.graphql';
import removeMember from './examples/groups/remove-member.graphql';
import updateGroup from './examples/groups/update-group.graphql';
import updateMemberStatus from './examples/groups/update-member-status.graphql';
import whatIf from './examples/groups/what-if.graphql';
import claimInvitation from './examples/invitations/claim-invitation.graphql';
import inbox from './examples/invitations/inbox.graphql';
import inviteByEmail from './examples/invitations/invite-by-email.graphql';
import inviteToGroup from './examples/invitations/invite-to-group.graphql';
import revokeInvitation from './examples/invitations/revoke-invitation.graphql';
import welcome from './examples/welcome.graphql';

/** One tab of GraphiQL. */
export interface ExampleOperation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const GROUP_ID = 'paste the id of a group';
const USER_ID = 'paste the id of a user';

/** In the order in which a newcomer runs them: from an account to a group with responses and a score. */
export const EXAMPLE_OPERATIONS: readonly ExampleOperation[] = [
  // GraphiQL shows no variables in the tab that it opens with, so this operation has none.
  { query: welcome },
  {
    query: register,
    variables: {
      input: { username: 'ada', password: 'seven quiet lanterns', email: 'ada@example.org' },
    } satisfies RegisterMutationVariables,
  },
  {
    query: issueToken,
    variables: { input: { username: 'ada', password: 'seven quiet lanterns' } } satisfies IssueTokenMutationVariables,
  },
  { query: me },
  {
    query: createGroup,
    variables: {
      input: { name: 'Sunday hike', description: 'Once around the lake.', quorum: 2 },
    } satisfies CreateGroupMutationVariables,
  },
  {
    query: inviteToGroup,
    variables: {
      input: { groupId: GROUP_ID, invitees: [{ username: 'grace' }] },
    } satisfies InviteToGroupMutationVariables,
  },
  { query: group, variables: { id: GROUP_ID } satisfies GroupQueryVariables },
  {
    query: groupChanged,
    variables: { groupId: GROUP_ID, afterRevision: 0 } satisfies GroupChangedSubscriptionVariables,
  },
  {
    query: updateMemberStatus,
    variables: {
      input: { groupId: GROUP_ID, userId: USER_ID, status: 'ACCEPTED' },
    } satisfies UpdateMemberStatusMutationVariables,
  },
  {
    query: recordCompatibilityScore,
    variables: {
      input: { groupId: GROUP_ID, value: 87.5, source: 'matching-service' },
    } satisfies RecordCompatibilityScoreMutationVariables,
  },
  {
    query: updateGroup,
    variables: {
      input: { groupId: GROUP_ID, quorum: 3, respondBy: '2030-01-31T18:00:00Z' },
    } satisfies UpdateGroupMutationVariables,
  },
  { query: whatIf, variables: { id: GROUP_ID, userId: USER_ID } satisfies WhatIfQueryVariables },
  {
    query: inviteByEmail,
    variables: {
      input: { groupId: GROUP_ID, invitees: [{ email: 'grace@example.org' }] },
    } satisfies InviteByEmailMutationVariables,
  },
  { query: inbox },
  {
    query: claimInvitation,
    variables: {
      input: { secret: 'paste what follows #secret= in the mailed link', status: 'ACCEPTED' },
    } satisfies ClaimInvitationMutationVariables,
  },
  {
    query: revokeInvitation,
    variables: { input: { invitationId: 'paste the id of an invitation' } } satisfies RevokeInvitationMutationVariables,
  },
  {
    query: changeMemberRole,
    variables: {
      input: { groupId: GROUP_ID, userId: USER_ID, role: 'OWNER' },
    } satisfies ChangeMemberRoleMutationVariables,
  },
  {
    query: removeMember,
    variables: { input: { groupId: GROUP_ID, userId: USER_ID } } satisfies RemoveMemberMutationVariables,
  },
  { query: leaveGroup, variables: { input: { groupId: GROUP_ID } } satisfies LeaveGroupMutationVariables },
  { query: cancelGroup, variables: { input: { groupId: GROUP_ID } } satisfies CancelGroupMutationVariables },
  { query: beforeLeaving },
  {
    query: deleteAccount,
    variables: { input: { password: 'the password of the account' } } satisfies DeleteAccountMutationVariables,
  },
];
