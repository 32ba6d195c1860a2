import type { ChangeCause, GroupRole, GroupState, InviteOutcome, ResponseStatus } from '../../groups/index.js';
import { graphqlEnum } from './graphql-enum.js';

export const ResponseStatusEnum = graphqlEnum<ResponseStatus>('ResponseStatus', 'What a member has answered.', {
  PENDING: 'No answer yet.',
  ACCEPTED: 'They will take part.',
  TENTATIVE: 'They may take part; counts as open.',
  DECLINED: 'They will not take part.',
});

export const GroupStateEnum = graphqlEnum<GroupState>('GroupState', 'What the answers of a group add up to.', {
  FORMING: 'Still open, or not enough people have been asked yet.',
  CONFIRMED: 'Enough have accepted.',
  FAILED: 'Enough were asked, but too many did not say yes.',
  EXPIRED: 'The deadline passed before enough had accepted.',
  CANCELLED: 'An owner cancelled it, for good.',
});

export const GroupRoleEnum = graphqlEnum<GroupRole>('GroupRole', 'What a member may do in a group.', {
  OWNER: 'May change the group and who is in it.',
  MEMBER: 'May answer for themselves.',
});

export const ChangeCauseEnum = graphqlEnum<ChangeCause>('ChangeCause', 'What made a revision of a group.', {
  CREATED: 'The group was created.',
  RESPONSE: 'A member answered.',
  INVITED: 'A person was invited.',
  JOINED: 'A person claimed an invitation.',
  INVITATION_DECLINED: 'An invited address declined.',
  INVITATION_REVOKED: 'An invitation was revoked.',
  INVITATION_EXPIRED: 'An invitation expired unanswered.',
  REMOVED: 'A member was removed.',
  LEFT: 'A member left.',
  ROLE_CHANGED: "A member's role changed.",
  RENAMED: 'The name or the description changed.',
  RULE_CHANGED: 'The quorum or the deadline changed.',
  DEADLINE: 'The deadline passed.',
  CANCELLED: 'The group was cancelled.',
  ACCOUNT_DELETED: "A member's account was deleted.",
});

export const InviteOutcomeEnum = graphqlEnum<InviteOutcome>(
  'InviteOutcome',
  'What came of one entry of an invitation.',
  {
    INVITED: 'They are a member now, and have yet to answer.',
    ALREADY_MEMBER: 'They were a member before, or the address is the verified address of a member; nothing changed.',
    USER_NOT_FOUND: 'There is no such user.',
    INVITATION_SENT: 'The address was offered a place, whether or not an account has that address.',
  },
);
