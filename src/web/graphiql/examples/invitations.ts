import type {
  ClaimInvitationMutationVariables,
  InvitationQueryVariables,
  InviteByEmailMutationVariables,
  InviteToGroupMutationVariables,
  RevokeInvitationMutationVariables,
} from '../../generated/example-operations.js';
import type { ExampleOperation } from './example-operation.js';
import claimInvitation from './invitations/claim-invitation.graphql';
import inbox from './invitations/inbox.graphql';
import invitation from './invitations/invitation.graphql';
import inviteByEmail from './invitations/invite-by-email.graphql';
import inviteToGroup from './invitations/invite-to-group.graphql';
import revokeInvitation from './invitations/revoke-invitation.graphql';
import { GROUP_ID, LINK_SECRET } from './placeholders.js';

export const INVITATION_EXAMPLES: readonly ExampleOperation[] = [
  {
    query: inviteToGroup,
    variables: {
      input: { groupId: GROUP_ID, invitees: [{ username: 'grace' }] },
    } satisfies InviteToGroupMutationVariables,
  },
  {
    query: inviteByEmail,
    variables: {
      input: { groupId: GROUP_ID, invitees: [{ email: 'grace@example.org' }] },
    } satisfies InviteByEmailMutationVariables,
  },
  { query: inbox },
  { query: invitation, variables: { secret: LINK_SECRET } satisfies InvitationQueryVariables },
  {
    query: claimInvitation,
    variables: { input: { secret: LINK_SECRET, status: 'ACCEPTED' } } satisfies ClaimInvitationMutationVariables,
  },
  {
    query: revokeInvitation,
    variables: {
      input: { invitationId: 'paste the id of an invitation from Group' },
    } satisfies RevokeInvitationMutationVariables,
  },
];
