/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A group to cancel. */
export type CancelGroupInput = {
  /** Which group. */
  readonly groupId: string;
};

/** What made a revision of a group. */
export type ChangeCause =
  /** A member's account was deleted. */
  | 'ACCOUNT_DELETED'
  /** The group was cancelled. */
  | 'CANCELLED'
  /** The group was created. */
  | 'CREATED'
  /** The deadline passed. */
  | 'DEADLINE'
  /** An invited address declined. */
  | 'INVITATION_DECLINED'
  /** An invitation expired unanswered. */
  | 'INVITATION_EXPIRED'
  /** An invitation was revoked. */
  | 'INVITATION_REVOKED'
  /** A person was invited. */
  | 'INVITED'
  /** A person claimed an invitation. */
  | 'JOINED'
  /** A member left. */
  | 'LEFT'
  /** A member was removed. */
  | 'REMOVED'
  /** The name or the description changed. */
  | 'RENAMED'
  /** A member answered. */
  | 'RESPONSE'
  /** A member's role changed. */
  | 'ROLE_CHANGED'
  /** The quorum or the deadline changed. */
  | 'RULE_CHANGED';

/** A new password, and the one that it replaces. */
export type ChangePasswordInput = {
  /** The password so far. */
  readonly currentPassword: string;
  /** 8 to 128 characters; refused when it is common, or equals the username or the email address. */
  readonly newPassword: string;
};

/** An invitation to claim, by its secret or from one's inbox, with an answer. */
export type ClaimInvitationInput = {
  /** An invitation to one's own verified address; null to name it by its secret. */
  readonly invitationId?: string | null | undefined;
  /** What follows `#secret=` in the mailed link; null to name the invitation by its id. */
  readonly secret?: string | null | undefined;
  /** The answer; PENDING takes the place and leaves the answer for later. */
  readonly status?: ResponseStatus;
};

/** A group to be. Its creator becomes its owner, and has accepted. */
export type CreateGroupInput = {
  /** What it is about; at most 2,000 characters; null for none. */
  readonly description?: string | null | undefined;
  /** What it is called; 1 to 120 characters. */
  readonly name: string;
  /** How many must accept, 1 to 1,000,000; null for all who are asked. */
  readonly quorum?: number | null | undefined;
  /** Until when answers are taken, in the future and before the year 10000 in UTC; null for no deadline. */
  readonly respondBy?: string | null | undefined;
};

/** What a member may do in a group. */
export type GroupRole =
  /** May answer for themselves. */
  | 'MEMBER'
  /** May change the group and who is in it. */
  | 'OWNER';

/** What the answers of a group add up to. */
export type GroupState =
  /** An owner cancelled it, for good. */
  | 'CANCELLED'
  /** Enough have accepted. */
  | 'CONFIRMED'
  /** The deadline passed before enough had accepted. */
  | 'EXPIRED'
  /** Enough were asked, but too many did not say yes. */
  | 'FAILED'
  /** Still open, or not enough people have been asked yet. */
  | 'FORMING';

/** What came of one entry of an invitation. */
export type InviteOutcome =
  /** They were a member before, or the address is the verified address of a member; nothing changed. */
  | 'ALREADY_MEMBER'
  /** The address was offered a place, whether or not an account has that address. */
  | 'INVITATION_SENT'
  /** They are a member now, and have yet to answer. */
  | 'INVITED'
  /** There is no such user. */
  | 'USER_NOT_FOUND';

/** Whom to invite to a group. */
export type InviteToGroupInput = {
  /** Which group. */
  readonly groupId: string;
  /** 1 to 500 people; each gets an outcome of their own, and one bad entry never spoils the others. */
  readonly invitees: ReadonlyArray<InviteeInput>;
};

/** One person to invite, named in exactly one way. */
export type InviteeInput = {
  /** Their email address, which is offered a place by mail; null when they are named another way. */
  readonly email?: string | null | undefined;
  /** Their id; null when they are named another way. */
  readonly userId?: string | null | undefined;
  /** Their username in any case; null when they are named another way. */
  readonly username?: string | null | undefined;
};

/** What a person logs in with. */
export type IssueTokenInput = {
  /** The password. */
  readonly password: string;
  /** The username in any case, or the verified email address. */
  readonly username: string;
};

/** A group to leave. */
export type LeaveGroupInput = {
  /** Which group. */
  readonly groupId: string;
};

/** What a session is renewed with. */
export type RefreshTokenInput = {
  /** The latest refresh token of the session. */
  readonly refreshToken: string;
};

/** What it takes to create an account. */
export type RegisterInput = {
  /** The name to be shown by, 1 to 80 characters and at most 400 code points; null for none. */
  readonly displayName?: string | null | undefined;
  /** At most 254 characters; a verification link is mailed to it. */
  readonly email?: string | null | undefined;
  /** The secret of an invitation to claim with the new account: what follows `#secret=` in its link; null for none. */
  readonly invitation?: string | null | undefined;
  /** 8 to 128 characters; refused when it is common, or equals the username or the email address. */
  readonly password: string;
  /** 3 to 32 letters, digits, dots, underscores and hyphens, beginning and ending with a letter or digit; unique whatever its case. */
  readonly username: string;
};

/** A member to remove. */
export type RemoveMemberInput = {
  /** Which group. */
  readonly groupId: string;
  /** Which member. */
  readonly userId: string;
};

/** Where the link is to be sent. */
export type RequestPasswordResetInput = {
  /** The verified email address of the account. */
  readonly email: string;
};

/** A new password, and what proves that it may be set. */
export type ResetPasswordInput = {
  /** 8 to 128 characters; refused when it is common, or equals the username or the email address. */
  readonly newPassword: string;
  /** The secret from the mailed link: what follows `#secret=`. */
  readonly secret: string;
};

/** What a member has answered. */
export type ResponseStatus =
  /** They will take part. */
  | 'ACCEPTED'
  /** They will not take part. */
  | 'DECLINED'
  /** No answer yet. */
  | 'PENDING'
  /** They may take part; counts as open. */
  | 'TENTATIVE';

/** An invitation to take back. */
export type RevokeInvitationInput = {
  /** Which invitation. */
  readonly invitationId: string;
};

/** Which of one's sessions to end. */
export type RevokeSessionInput = {
  /** The session, as `Viewer.sessions` lists it. */
  readonly sessionId: string;
};

/** Which session to end. */
export type RevokeTokenInput = {
  /** Whether to end every session of the same person. */
  readonly everywhere?: boolean;
  /** A refresh token of the session, however old, or an access token of it. Null for the session that asks, which takes its access token. */
  readonly refreshToken?: string | null | undefined;
};

/** One member's answer. */
export type UpdateMemberStatusInput = {
  /** The member's revision that the answer is meant for; refused when they have moved on. Null to answer in any case. */
  readonly expectedRevision?: number | null | undefined;
  /** Which group. */
  readonly groupId: string;
  /** The answer. */
  readonly status: ResponseStatus;
  /** Which member. */
  readonly userId: string;
};

/** What is to be different: an absent field stays as it is, null clears it. */
export type UpdateProfileInput = {
  /** One's password; needed when the email address is to change, and null otherwise. */
  readonly currentPassword?: string | null | undefined;
  /** The name to be shown by, 1 to 80 characters and at most 400 code points; null for none. */
  readonly displayName?: string | null | undefined;
  /** At most 254 characters. A link is mailed to it, and the old address stays until it is followed; null for no address. */
  readonly email?: string | null | undefined;
};

/** What proves an email address. */
export type VerifyEmailInput = {
  /** The secret from the mailed link: what follows `#secret=`. */
  readonly secret: string;
};

export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { readonly me: { readonly id: string, readonly sessions: ReadonlyArray<{ readonly id: string, readonly address: string | null, readonly userAgent: string | null, readonly createdAt: string, readonly lastUsedAt: string, readonly current: boolean }> } };

export type RevokeSessionMutationVariables = Exact<{
  input: RevokeSessionInput;
}>;


export type RevokeSessionMutation = { readonly revokeSession: { readonly revokedSessions: number } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { readonly changePassword: { readonly revokedSessions: number } };

export type UpdateProfileMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateProfileMutation = { readonly updateProfile: { readonly user: { readonly id: string } } };

export type GroupQueryVariables = Exact<{
  id: string;
}>;


export type GroupQuery = { readonly group: { readonly id: string, readonly name: string, readonly description: string | null, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly memberCount: number, readonly quorum: number | null, readonly respondBy: string | null, readonly revision: number, readonly responseCounts: { readonly accepted: number, readonly tentative: number, readonly declined: number, readonly pending: number, readonly openInvitations: number }, readonly viewerMembership: { readonly role: GroupRole, readonly status: ResponseStatus } | null } };

export type GroupMembersQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type GroupMembersQuery = { readonly group: { readonly id: string, readonly revision: number, readonly members: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly role: GroupRole, readonly status: ResponseStatus, readonly user: { readonly id: string, readonly username: string, readonly displayName: string | null } }> } } };

export type GroupInvitationsQueryVariables = Exact<{
  id: string;
}>;


export type GroupInvitationsQuery = { readonly group: { readonly id: string, readonly invitations: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly email: string, readonly expiresAt: string }> } | null } };

export type AnswerMutationVariables = Exact<{
  input: UpdateMemberStatusInput;
}>;


export type AnswerMutation = { readonly updateMemberStatus: { readonly group: { readonly id: string, readonly name: string, readonly description: string | null, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly memberCount: number, readonly quorum: number | null, readonly respondBy: string | null, readonly revision: number, readonly responseCounts: { readonly accepted: number, readonly tentative: number, readonly declined: number, readonly pending: number, readonly openInvitations: number }, readonly viewerMembership: { readonly role: GroupRole, readonly status: ResponseStatus } | null } } };

export type InviteMutationVariables = Exact<{
  input: InviteToGroupInput;
}>;


export type InviteMutation = { readonly inviteToGroup: { readonly results: ReadonlyArray<{ readonly outcome: InviteOutcome }> } };

export type RevokeInvitationMutationVariables = Exact<{
  input: RevokeInvitationInput;
}>;


export type RevokeInvitationMutation = { readonly revokeInvitation: { readonly group: { readonly id: string } } };

export type LeaveGroupMutationVariables = Exact<{
  input: LeaveGroupInput;
}>;


export type LeaveGroupMutation = { readonly leaveGroup: { readonly groupId: string } };

export type CancelGroupMutationVariables = Exact<{
  input: CancelGroupInput;
}>;


export type CancelGroupMutation = { readonly cancelGroup: { readonly group: { readonly id: string, readonly name: string, readonly description: string | null, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly memberCount: number, readonly quorum: number | null, readonly respondBy: string | null, readonly revision: number, readonly responseCounts: { readonly accepted: number, readonly tentative: number, readonly declined: number, readonly pending: number, readonly openInvitations: number }, readonly viewerMembership: { readonly role: GroupRole, readonly status: ResponseStatus } | null } } };

export type RemoveMemberMutationVariables = Exact<{
  input: RemoveMemberInput;
}>;


export type RemoveMemberMutation = { readonly removeMember: { readonly group: { readonly id: string, readonly name: string, readonly description: string | null, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly memberCount: number, readonly quorum: number | null, readonly respondBy: string | null, readonly revision: number, readonly responseCounts: { readonly accepted: number, readonly tentative: number, readonly declined: number, readonly pending: number, readonly openInvitations: number }, readonly viewerMembership: { readonly role: GroupRole, readonly status: ResponseStatus } | null } } };

export type GroupFactsFragment = { readonly id: string, readonly name: string, readonly description: string | null, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly memberCount: number, readonly quorum: number | null, readonly respondBy: string | null, readonly revision: number, readonly responseCounts: { readonly accepted: number, readonly tentative: number, readonly declined: number, readonly pending: number, readonly openInvitations: number }, readonly viewerMembership: { readonly role: GroupRole, readonly status: ResponseStatus } | null };

export type GroupMemberFragment = { readonly role: GroupRole, readonly status: ResponseStatus, readonly user: { readonly id: string, readonly username: string, readonly displayName: string | null } };

export type PersonNameFragment = { readonly id: string, readonly username: string, readonly displayName: string | null };

export type GroupChangedSubscriptionVariables = Exact<{
  groupId: string;
  afterRevision?: number | null | undefined;
}>;


export type GroupChangedSubscription = { readonly groupChanged: { readonly revision: number, readonly cause: ChangeCause, readonly at: string, readonly status: ResponseStatus | null, readonly after: GroupState, readonly before: GroupState | null, readonly actor: { readonly id: string, readonly username: string, readonly displayName: string | null } | null, readonly subject: { readonly id: string, readonly username: string, readonly displayName: string | null } | null, readonly group: { readonly id: string, readonly name: string, readonly description: string | null, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly memberCount: number, readonly quorum: number | null, readonly respondBy: string | null, readonly revision: number, readonly responseCounts: { readonly accepted: number, readonly tentative: number, readonly declined: number, readonly pending: number, readonly openInvitations: number }, readonly viewerMembership: { readonly role: GroupRole, readonly status: ResponseStatus } | null } } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly me: { readonly id: string, readonly username: string, readonly displayName: string | null, readonly email: string | null, readonly emailVerified: boolean } };

export type MembershipsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MembershipsQuery = { readonly me: { readonly id: string, readonly memberships: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly status: ResponseStatus, readonly group: { readonly id: string, readonly name: string, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly respondBy: string | null } }> } } };

export type InboxQueryVariables = Exact<{ [key: string]: never; }>;


export type InboxQuery = { readonly me: { readonly id: string, readonly invitations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly expiresAt: string, readonly group: { readonly id: string, readonly name: string }, readonly invitedBy: { readonly id: string, readonly username: string, readonly displayName: string | null } | null }> } } };

export type AnswerInvitationMutationVariables = Exact<{
  input: ClaimInvitationInput;
}>;


export type AnswerInvitationMutation = { readonly claimInvitation: { readonly member: { readonly status: ResponseStatus, readonly group: { readonly id: string } } } };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
}>;


export type CreateGroupMutation = { readonly createGroup: { readonly group: { readonly id: string } } };

export type RequestEmailVerificationMutationVariables = Exact<{ [key: string]: never; }>;


export type RequestEmailVerificationMutation = { readonly requestEmailVerification: { readonly sent: boolean } };

export type GroupSummaryFragment = { readonly id: string, readonly name: string, readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number, readonly respondBy: string | null };

export type OwnIdsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnIdsQuery = { readonly me: { readonly id: string, readonly username: string, readonly memberships: { readonly nodes: ReadonlyArray<{ readonly group: { readonly id: string } }> } } };

export type InvitationQueryVariables = Exact<{
  secret: string;
}>;


export type InvitationQuery = { readonly invitation: { readonly groupName: string, readonly invitedBy: string | null, readonly expiresAt: string } };

export type ClaimInvitationMutationVariables = Exact<{
  input: ClaimInvitationInput;
}>;


export type ClaimInvitationMutation = { readonly claimInvitation: { readonly member: { readonly status: ResponseStatus, readonly group: { readonly id: string } } } };

export type RegisterMutationVariables = Exact<{
  input: RegisterInput;
}>;


export type RegisterMutation = { readonly register: { readonly user: { readonly id: string } } };

export type InvitedUserQueryVariables = Exact<{ [key: string]: never; }>;


export type InvitedUserQuery = { readonly me: { readonly id: string, readonly username: string } };

export type FirstMembershipQueryVariables = Exact<{ [key: string]: never; }>;


export type FirstMembershipQuery = { readonly me: { readonly id: string, readonly memberships: { readonly nodes: ReadonlyArray<{ readonly group: { readonly id: string } }> } } };

export type ResetPasswordMutationVariables = Exact<{
  input: ResetPasswordInput;
}>;


export type ResetPasswordMutation = { readonly resetPassword: { readonly revokedSessions: number } };

export type RequestPasswordResetMutationVariables = Exact<{
  input: RequestPasswordResetInput;
}>;


export type RequestPasswordResetMutation = { readonly requestPasswordReset: { readonly accepted: boolean } };

export type VerifyEmailMutationVariables = Exact<{
  input: VerifyEmailInput;
}>;


export type VerifyEmailMutation = { readonly verifyEmail: { readonly user: { readonly id: string } } };

export type IssueTokenMutationVariables = Exact<{
  input: IssueTokenInput;
}>;


export type IssueTokenMutation = { readonly issueToken: { readonly accessToken: string, readonly expiresIn: number, readonly refreshToken: string, readonly user: { readonly id: string } } };

export type RefreshTokenMutationVariables = Exact<{
  input: RefreshTokenInput;
}>;


export type RefreshTokenMutation = { readonly refreshToken: { readonly accessToken: string, readonly expiresIn: number, readonly refreshToken: string, readonly user: { readonly id: string } } };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type RevokeTokenMutation = { readonly revokeToken: { readonly revokedSessions: number } };

export type TokensFragment = { readonly accessToken: string, readonly expiresIn: number, readonly refreshToken: string, readonly user: { readonly id: string } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const GroupFactsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment GroupFacts on Group {
  id
  name
  description
  state
  acceptedCount
  requiredCount
  memberCount
  quorum
  respondBy
  revision
  responseCounts {
    accepted
    tentative
    declined
    pending
    openInvitations
  }
  viewerMembership {
    role
    status
  }
}
    `, {"fragmentName":"GroupFacts"}) as unknown as TypedDocumentString<GroupFactsFragment, unknown>;
export const PersonNameFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment PersonName on User {
  id
  username
  displayName
}
    `, {"fragmentName":"PersonName"}) as unknown as TypedDocumentString<PersonNameFragment, unknown>;
export const GroupMemberFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment GroupMember on Member {
  role
  status
  user {
    ...PersonName
  }
}
    fragment PersonName on User {
  id
  username
  displayName
}`, {"fragmentName":"GroupMember"}) as unknown as TypedDocumentString<GroupMemberFragment, unknown>;
export const GroupSummaryFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment GroupSummary on Group {
  id
  name
  state
  acceptedCount
  requiredCount
  respondBy
}
    `, {"fragmentName":"GroupSummary"}) as unknown as TypedDocumentString<GroupSummaryFragment, unknown>;
export const TokensFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment Tokens on TokenPayload {
  accessToken
  expiresIn
  refreshToken
  user {
    id
  }
}
    `, {"fragmentName":"Tokens"}) as unknown as TypedDocumentString<TokensFragment, unknown>;
export const SessionsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Sessions {
  me {
    id
    sessions {
      id
      address
      userAgent
      createdAt
      lastUsedAt
      current
    }
  }
}
    `, {"documentId":"sha256:d346ffedb47c53d41323371e9fa617c0526a768cff891ad72cbe8b2cd852ea06"}) as unknown as TypedDocumentString<SessionsQuery, SessionsQueryVariables>;
export const RevokeSessionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeSession($input: RevokeSessionInput!) {
  revokeSession(input: $input) {
    revokedSessions
  }
}
    `, {"documentId":"sha256:a230ca83c9e1a9865dd79243cbd29978e0fbcbd600cef9a012e69200f02c3de6"}) as unknown as TypedDocumentString<RevokeSessionMutation, RevokeSessionMutationVariables>;
export const ChangePasswordDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ChangePassword($input: ChangePasswordInput!) {
  changePassword(input: $input) {
    revokedSessions
  }
}
    `, {"documentId":"sha256:40701b32c0f4da56bcabd98ee37b5d243cf9545553d2b1aa1248c3cdb23ae4ff"}) as unknown as TypedDocumentString<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const UpdateProfileDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateProfile($input: UpdateProfileInput!) {
  updateProfile(input: $input) {
    user {
      id
    }
  }
}
    `, {"documentId":"sha256:5873e32e2079d4c766ae5472437f03d3df0b0155e3adeed39f6f34d49cc3981e"}) as unknown as TypedDocumentString<UpdateProfileMutation, UpdateProfileMutationVariables>;
export const GroupDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Group($id: UUID!) {
  group(id: $id) {
    ...GroupFacts
  }
}
    fragment GroupFacts on Group {
  id
  name
  description
  state
  acceptedCount
  requiredCount
  memberCount
  quorum
  respondBy
  revision
  responseCounts {
    accepted
    tentative
    declined
    pending
    openInvitations
  }
  viewerMembership {
    role
    status
  }
}`, {"documentId":"sha256:dab006b4c4043183fb7d7edaeb117ce1894190bc5a5cbf49c459cffc57e68218"}) as unknown as TypedDocumentString<GroupQuery, GroupQueryVariables>;
export const GroupMembersDocument = /*#__PURE__*/ new TypedDocumentString(`
    query GroupMembers($id: UUID!, $first: Int!, $after: String) {
  group(id: $id) {
    id
    revision
    members(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...GroupMember
      }
    }
  }
}
    fragment GroupMember on Member {
  role
  status
  user {
    ...PersonName
  }
}
fragment PersonName on User {
  id
  username
  displayName
}`, {"documentId":"sha256:d2c6269941ff8f9913f5012aaf0516f61388a7b3d2b33484dbfe87ea5d668f4e"}) as unknown as TypedDocumentString<GroupMembersQuery, GroupMembersQueryVariables>;
export const GroupInvitationsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query GroupInvitations($id: UUID!) {
  group(id: $id) {
    id
    invitations(first: 100) {
      totalCount
      nodes {
        id
        email
        expiresAt
      }
    }
  }
}
    `, {"documentId":"sha256:d6f5e55add6a3abb2ac08ed59b58b92ea34126b9d5ddddebec0525fbdf605296"}) as unknown as TypedDocumentString<GroupInvitationsQuery, GroupInvitationsQueryVariables>;
export const AnswerDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Answer($input: UpdateMemberStatusInput!) {
  updateMemberStatus(input: $input) {
    group {
      ...GroupFacts
    }
  }
}
    fragment GroupFacts on Group {
  id
  name
  description
  state
  acceptedCount
  requiredCount
  memberCount
  quorum
  respondBy
  revision
  responseCounts {
    accepted
    tentative
    declined
    pending
    openInvitations
  }
  viewerMembership {
    role
    status
  }
}`, {"documentId":"sha256:4d35c7921420dc90bbb0eb567ea39719707b46cef75c26e7ccd006d7a2aeb1ae"}) as unknown as TypedDocumentString<AnswerMutation, AnswerMutationVariables>;
export const InviteDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Invite($input: InviteToGroupInput!) {
  inviteToGroup(input: $input) {
    results {
      outcome
    }
  }
}
    `, {"documentId":"sha256:6ca2e2765009843c67809f6b51f00bc970a72ce5ed97a7f752d918ad6e79b239"}) as unknown as TypedDocumentString<InviteMutation, InviteMutationVariables>;
export const RevokeInvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeInvitation($input: RevokeInvitationInput!) {
  revokeInvitation(input: $input) {
    group {
      id
    }
  }
}
    `, {"documentId":"sha256:21648712c9c9083af08de32e8a6abe4400a76956950718488b91395f3d879583"}) as unknown as TypedDocumentString<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const LeaveGroupDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation LeaveGroup($input: LeaveGroupInput!) {
  leaveGroup(input: $input) {
    groupId
  }
}
    `, {"documentId":"sha256:1eb5adb708678561e68ef310f099cf8fc4297cff3cc27be46064660c8b45cf41"}) as unknown as TypedDocumentString<LeaveGroupMutation, LeaveGroupMutationVariables>;
export const CancelGroupDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CancelGroup($input: CancelGroupInput!) {
  cancelGroup(input: $input) {
    group {
      ...GroupFacts
    }
  }
}
    fragment GroupFacts on Group {
  id
  name
  description
  state
  acceptedCount
  requiredCount
  memberCount
  quorum
  respondBy
  revision
  responseCounts {
    accepted
    tentative
    declined
    pending
    openInvitations
  }
  viewerMembership {
    role
    status
  }
}`, {"documentId":"sha256:28d489bf15b4e02578fd9f21813ee098d3887594e49a93f4dc1adfbbf505c871"}) as unknown as TypedDocumentString<CancelGroupMutation, CancelGroupMutationVariables>;
export const RemoveMemberDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RemoveMember($input: RemoveMemberInput!) {
  removeMember(input: $input) {
    group {
      ...GroupFacts
    }
  }
}
    fragment GroupFacts on Group {
  id
  name
  description
  state
  acceptedCount
  requiredCount
  memberCount
  quorum
  respondBy
  revision
  responseCounts {
    accepted
    tentative
    declined
    pending
    openInvitations
  }
  viewerMembership {
    role
    status
  }
}`, {"documentId":"sha256:69e4f27ca53efa71958b8a85ad8228fe44bb08d526f74241c544630fb49d161d"}) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const GroupChangedDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription GroupChanged($groupId: UUID!, $afterRevision: Int) {
  groupChanged(groupId: $groupId, afterRevision: $afterRevision) {
    revision
    cause
    at
    status
    after
    before
    actor {
      ...PersonName
    }
    subject {
      ...PersonName
    }
    group {
      ...GroupFacts
    }
  }
}
    fragment GroupFacts on Group {
  id
  name
  description
  state
  acceptedCount
  requiredCount
  memberCount
  quorum
  respondBy
  revision
  responseCounts {
    accepted
    tentative
    declined
    pending
    openInvitations
  }
  viewerMembership {
    role
    status
  }
}
fragment PersonName on User {
  id
  username
  displayName
}`, {"documentId":"sha256:91887a4f6771e62d62b1c0edc1d23c65a069f6613b23cf745c78f93dcff9b8f1"}) as unknown as TypedDocumentString<GroupChangedSubscription, GroupChangedSubscriptionVariables>;
export const ViewerDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Viewer {
  me {
    id
    username
    displayName
    email
    emailVerified
  }
}
    `, {"documentId":"sha256:de075a1a06090b493472a8100f708d7e9e6dccc87517f739d4ce5b884e4e9913"}) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const MembershipsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Memberships($after: String) {
  me {
    id
    memberships(first: 20, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        status
        group {
          ...GroupSummary
        }
      }
    }
  }
}
    fragment GroupSummary on Group {
  id
  name
  state
  acceptedCount
  requiredCount
  respondBy
}`, {"documentId":"sha256:91b1c092a07d3a94d062ae6aecce3162828f123a84489004cccffb509f3a3e94"}) as unknown as TypedDocumentString<MembershipsQuery, MembershipsQueryVariables>;
export const InboxDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Inbox {
  me {
    id
    invitations(first: 100) {
      nodes {
        id
        expiresAt
        group {
          id
          name
        }
        invitedBy {
          ...PersonName
        }
      }
    }
  }
}
    fragment PersonName on User {
  id
  username
  displayName
}`, {"documentId":"sha256:7138a2501cd67ffc723b50800c40dfc78bc962d64838d6d93de0cdd55ecdc085"}) as unknown as TypedDocumentString<InboxQuery, InboxQueryVariables>;
export const AnswerInvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation AnswerInvitation($input: ClaimInvitationInput!) {
  claimInvitation(input: $input) {
    member {
      status
      group {
        id
      }
    }
  }
}
    `, {"documentId":"sha256:fe5475d7aa13db8c8bf34e60ae853989753825e01679c2cb78f3d96ab1c63d00"}) as unknown as TypedDocumentString<AnswerInvitationMutation, AnswerInvitationMutationVariables>;
export const CreateGroupDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateGroup($input: CreateGroupInput!) {
  createGroup(input: $input) {
    group {
      id
    }
  }
}
    `, {"documentId":"sha256:546f1364ecc852125d2237f13e6eefa468693167b3c8326bd9d24b100a1d6351"}) as unknown as TypedDocumentString<CreateGroupMutation, CreateGroupMutationVariables>;
export const RequestEmailVerificationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RequestEmailVerification {
  requestEmailVerification {
    sent
  }
}
    `, {"documentId":"sha256:dd455569a6454ee28a6c5806426210466fa52d70509fa5227e4109eef650a686"}) as unknown as TypedDocumentString<RequestEmailVerificationMutation, RequestEmailVerificationMutationVariables>;
export const OwnIdsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query OwnIds {
  me {
    id
    username
    memberships(first: 1) {
      nodes {
        group {
          id
        }
      }
    }
  }
}
    `, {"documentId":"sha256:64a4291aa6c70f99ccfe0b78e2427749dbb10ef6bb28fc4436fba2e1b32f37dc"}) as unknown as TypedDocumentString<OwnIdsQuery, OwnIdsQueryVariables>;
export const InvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Invitation($secret: String!) {
  invitation(secret: $secret) {
    groupName
    invitedBy
    expiresAt
  }
}
    `, {"documentId":"sha256:10f2864b5d91d71a8359adaaa8d4eaf84077eab81a0add68640f42376a0bb7b4"}) as unknown as TypedDocumentString<InvitationQuery, InvitationQueryVariables>;
export const ClaimInvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ClaimInvitation($input: ClaimInvitationInput!) {
  claimInvitation(input: $input) {
    member {
      status
      group {
        id
      }
    }
  }
}
    `, {"documentId":"sha256:d0b568a53bcb1d26231b5cc18ba2f2970935d87ede4730a2ad6fbc064b154e1e"}) as unknown as TypedDocumentString<ClaimInvitationMutation, ClaimInvitationMutationVariables>;
export const RegisterDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Register($input: RegisterInput!) {
  register(input: $input) {
    user {
      id
    }
  }
}
    `, {"documentId":"sha256:28f84c196b6188fbaf236149a28b2e948ce7ddad22558cb648d4ebd9102dfafc"}) as unknown as TypedDocumentString<RegisterMutation, RegisterMutationVariables>;
export const InvitedUserDocument = /*#__PURE__*/ new TypedDocumentString(`
    query InvitedUser {
  me {
    id
    username
  }
}
    `, {"documentId":"sha256:c44928d404189f4a0d971de39f7e157b87f88421ec0c5fb0efe4a20b674831d9"}) as unknown as TypedDocumentString<InvitedUserQuery, InvitedUserQueryVariables>;
export const FirstMembershipDocument = /*#__PURE__*/ new TypedDocumentString(`
    query FirstMembership {
  me {
    id
    memberships(first: 1) {
      nodes {
        group {
          id
        }
      }
    }
  }
}
    `, {"documentId":"sha256:8ee3ab510775c5ab0e99bd06aac4825f8acb578656b7522876b25fd74763fe45"}) as unknown as TypedDocumentString<FirstMembershipQuery, FirstMembershipQueryVariables>;
export const ResetPasswordDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    revokedSessions
  }
}
    `, {"documentId":"sha256:81c091e045e5c0c6eaceba376b27b3e570ab115660ccc61b84b13de403fb22f3"}) as unknown as TypedDocumentString<ResetPasswordMutation, ResetPasswordMutationVariables>;
export const RequestPasswordResetDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RequestPasswordReset($input: RequestPasswordResetInput!) {
  requestPasswordReset(input: $input) {
    accepted
  }
}
    `, {"documentId":"sha256:acc6b815fb98edd3e82cfb87bf35d512ba00f0bf948ee72fa49115f071ac78b9"}) as unknown as TypedDocumentString<RequestPasswordResetMutation, RequestPasswordResetMutationVariables>;
export const VerifyEmailDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation VerifyEmail($input: VerifyEmailInput!) {
  verifyEmail(input: $input) {
    user {
      id
    }
  }
}
    `, {"documentId":"sha256:b9167a7377c9d44493de7069af41c654a773db2597b7c3889f1dc805954ec8eb"}) as unknown as TypedDocumentString<VerifyEmailMutation, VerifyEmailMutationVariables>;
export const IssueTokenDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation IssueToken($input: IssueTokenInput!) {
  issueToken(input: $input) {
    ...Tokens
  }
}
    fragment Tokens on TokenPayload {
  accessToken
  expiresIn
  refreshToken
  user {
    id
  }
}`, {"documentId":"sha256:96c0ae6fc785fe0f5714aec942d104ff5680148f65d8c04ddc6e38b45d170350"}) as unknown as TypedDocumentString<IssueTokenMutation, IssueTokenMutationVariables>;
export const RefreshTokenDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RefreshToken($input: RefreshTokenInput!) {
  refreshToken(input: $input) {
    ...Tokens
  }
}
    fragment Tokens on TokenPayload {
  accessToken
  expiresIn
  refreshToken
  user {
    id
  }
}`, {"documentId":"sha256:acdf94d3d03275803b2f471cb032030d854d116d125c91fc7b5a5ac244df5ec9"}) as unknown as TypedDocumentString<RefreshTokenMutation, RefreshTokenMutationVariables>;
export const RevokeTokenDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeToken($input: RevokeTokenInput!) {
  revokeToken(input: $input) {
    revokedSessions
  }
}
    `, {"documentId":"sha256:180e8ad371010bc9af1348bbddc0bcee341ad3942980c37b5bf0c62101c1921c"}) as unknown as TypedDocumentString<RevokeTokenMutation, RevokeTokenMutationVariables>;