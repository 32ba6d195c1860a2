import type {
  CancelGroupMutationVariables,
  ChangeMemberRoleMutationVariables,
  CreateGroupMutationVariables,
  GroupChangedSubscriptionVariables,
  GroupQueryVariables,
  LeaveGroupMutationVariables,
  NodeQueryVariables,
  NodesQueryVariables,
  RecordCompatibilityScoreMutationVariables,
  RemoveMemberMutationVariables,
  UpdateGroupMutationVariables,
  UpdateMemberStatusMutationVariables,
  UserQueryVariables,
  WhatIfQueryVariables,
} from '../../generated/example-operations.js';
import type { ExampleOperation } from './example-operation.js';
import cancelGroup from './groups/cancel-group.graphql';
import changeMemberRole from './groups/change-member-role.graphql';
import createGroup from './groups/create-group.graphql';
import groupChanged from './groups/group-changed.graphql';
import group from './groups/group.graphql';
import leaveGroup from './groups/leave-group.graphql';
import node from './groups/node.graphql';
import nodes from './groups/nodes.graphql';
import recordCompatibilityScore from './groups/record-compatibility-score.graphql';
import removeMember from './groups/remove-member.graphql';
import updateGroup from './groups/update-group.graphql';
import updateMemberStatus from './groups/update-member-status.graphql';
import user from './groups/user.graphql';
import whatIf from './groups/what-if.graphql';
import { GROUP_ID, OWN_ID, USER_ID } from './placeholders.js';

export const GROUP_EXAMPLES: readonly ExampleOperation[] = [
  {
    query: createGroup,
    variables: {
      input: { name: 'Sunday hike', description: 'Once around the lake.', quorum: 2 },
    } satisfies CreateGroupMutationVariables,
  },
  { query: group, variables: { id: GROUP_ID } satisfies GroupQueryVariables },
  {
    query: groupChanged,
    variables: { groupId: GROUP_ID, afterRevision: 0 } satisfies GroupChangedSubscriptionVariables,
  },
  {
    query: updateMemberStatus,
    variables: {
      input: { groupId: GROUP_ID, userId: OWN_ID, status: 'ACCEPTED' },
    } satisfies UpdateMemberStatusMutationVariables,
  },
  { query: whatIf, variables: { id: GROUP_ID, userId: OWN_ID } satisfies WhatIfQueryVariables },
  {
    query: updateGroup,
    variables: {
      input: { groupId: GROUP_ID, quorum: 3, respondBy: '2100-01-31T18:00:00Z' },
    } satisfies UpdateGroupMutationVariables,
  },
  {
    query: recordCompatibilityScore,
    variables: {
      input: { groupId: GROUP_ID, value: 87.5, source: 'matching-service' },
    } satisfies RecordCompatibilityScoreMutationVariables,
  },
  { query: user, variables: { id: USER_ID } satisfies UserQueryVariables },
  { query: node, variables: { id: GROUP_ID } satisfies NodeQueryVariables },
  { query: nodes, variables: { ids: [GROUP_ID, OWN_ID] } satisfies NodesQueryVariables },
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
];
