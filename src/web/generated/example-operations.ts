/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** What an account may do beyond its own affairs. */
export type AccountRole =
  /** May read and manage every account and group. */
  | 'ADMIN'
  /** An ordinary account. */
  | 'USER';

/** What a program may do with its key. */
export type ApiKeyScope =
  /** Read the schema and resolve references as the gateway of a supergraph (`federation`). */
  | 'FEDERATION'
  /** Read groups: state, members, counts, score and history (`groups:read`). */
  | 'GROUPS_READ'
  /** Record the answers of members (`responses:write`). */
  | 'RESPONSES_WRITE'
  /** Write compatibility scores (`scores:write`). */
  | 'SCORES_WRITE';

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

/** The role that a member is to have. */
export type ChangeMemberRoleInput = {
  /** Which group. */
  readonly groupId: string;
  /** The role; a group can have several owners, but always has one. */
  readonly role: GroupRole;
  /** Which member. */
  readonly userId: string;
};

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

/** The key to be. */
export type CreateApiKeyInput = {
  /** When it ends; null for never. */
  readonly expiresAt?: string | null | undefined;
  /** The groups that it is for; null for every group. */
  readonly groupIds?: ReadonlyArray<string> | null | undefined;
  /** What it is for: 1 to 80 characters. */
  readonly name: string;
  /** What it may do; at least one. */
  readonly scopes: ReadonlyArray<ApiKeyScope>;
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

/** What it takes to delete one's account. */
export type DeleteAccountInput = {
  /** The current password. */
  readonly password: string;
};

/** How far a follow-up has come. */
export type FollowUpStatus =
  /** Finished. */
  | 'DONE'
  /** Given up after its last try; an administrator can have it tried again. */
  | 'FAILED'
  /** Waiting for its turn, or for its next try. */
  | 'QUEUED'
  /** Under way. */
  | 'RUNNING'
  /** There was nothing to do. */
  | 'SKIPPED';

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

/** A score to store for a group. */
export type RecordCompatibilityScoreInput = {
  /** Which group. */
  readonly groupId: string;
  /** Who or what computed it; 1 to 80 characters. */
  readonly source: string;
  /** 0 to 100 inclusive. */
  readonly value: number;
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

/** What to try again. */
export type RetryFollowUpInput = {
  /** A follow-up that has failed. */
  readonly followUpId: string;
};

/** The key to end. */
export type RevokeApiKeyInput = {
  /** Which key. */
  readonly apiKeyId: string;
};

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

/** Whom to keep out, or to let in again. */
export type SetUserDisabledInput = {
  /** True to keep them out, which ends all their sessions at once. */
  readonly disabled: boolean;
  /** Whose account; never one's own. */
  readonly userId: string;
};

/** What a person is to be. */
export type SetUserRoleInput = {
  /** `ADMIN` makes an administrator, `USER` takes that away. */
  readonly role: AccountRole;
  /** Whose account; never one's own. */
  readonly userId: string;
};

/** What to change about a group: null clears, what is left out stays. */
export type UpdateGroupInput = {
  /** A new description; null for none. */
  readonly description?: string | null | undefined;
  /** The revision that the change is meant for; refused when the group has moved on. Null to change it in any case. */
  readonly expectedRevision?: number | null | undefined;
  /** Which group. */
  readonly groupId: string;
  /** A new name; 1 to 120 characters; cannot be cleared. */
  readonly name?: string | null | undefined;
  /** A new quorum, 1 to 1,000,000; null for all who are asked. */
  readonly quorum?: number | null | undefined;
  /** A new deadline, in the future and before the year 10000 in UTC; null for none. */
  readonly respondBy?: string | null | undefined;
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

export type BeforeLeavingQueryVariables = Exact<{ [key: string]: never; }>;


export type BeforeLeavingQuery = { readonly me: { readonly export: unknown, readonly deletionPreview: { readonly sentInvitations: number, readonly blockingGroups: ReadonlyArray<{ readonly id: string, readonly name: string }>, readonly changingGroups: ReadonlyArray<{ readonly before: GroupState, readonly after: GroupState, readonly group: { readonly name: string } }> } } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { readonly changePassword: { readonly revokedSessions: number } };

export type DeleteAccountMutationVariables = Exact<{
  input: DeleteAccountInput;
}>;


export type DeleteAccountMutation = { readonly deleteAccount: { readonly deletedUserId: string } };

export type IssueTokenMutationVariables = Exact<{
  input: IssueTokenInput;
}>;


export type IssueTokenMutation = { readonly issueToken: { readonly accessToken: string, readonly expiresIn: number, readonly refreshToken: string, readonly user: { readonly id: string, readonly username: string } } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly id: string, readonly username: string, readonly displayName: string | null, readonly email: string | null, readonly emailVerified: boolean, readonly roles: ReadonlyArray<AccountRole>, readonly createdAt: string, readonly sessions: ReadonlyArray<{ readonly id: string, readonly userAgent: string | null, readonly lastUsedAt: string, readonly current: boolean }> } };

export type RefreshTokenMutationVariables = Exact<{
  input: RefreshTokenInput;
}>;


export type RefreshTokenMutation = { readonly refreshToken: { readonly accessToken: string, readonly expiresIn: number, readonly refreshToken: string } };

export type RegisterMutationVariables = Exact<{
  input: RegisterInput;
}>;


export type RegisterMutation = { readonly register: { readonly user: { readonly id: string, readonly username: string, readonly email: string | null, readonly emailVerified: boolean }, readonly followUps: ReadonlyArray<{ readonly name: string, readonly status: FollowUpStatus }> } };

export type RequestEmailVerificationMutationVariables = Exact<{ [key: string]: never; }>;


export type RequestEmailVerificationMutation = { readonly requestEmailVerification: { readonly sent: boolean } };

export type RequestPasswordResetMutationVariables = Exact<{
  input: RequestPasswordResetInput;
}>;


export type RequestPasswordResetMutation = { readonly requestPasswordReset: { readonly accepted: boolean } };

export type ResetPasswordMutationVariables = Exact<{
  input: ResetPasswordInput;
}>;


export type ResetPasswordMutation = { readonly resetPassword: { readonly revokedSessions: number } };

export type RevokeSessionMutationVariables = Exact<{
  input: RevokeSessionInput;
}>;


export type RevokeSessionMutation = { readonly revokeSession: { readonly revokedSessions: number } };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type RevokeTokenMutation = { readonly revokeToken: { readonly revokedSessions: number } };

export type UpdateProfileMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateProfileMutation = { readonly updateProfile: { readonly user: { readonly displayName: string | null, readonly email: string | null, readonly emailVerified: boolean } } };

export type VerifyEmailMutationVariables = Exact<{
  input: VerifyEmailInput;
}>;


export type VerifyEmailMutation = { readonly verifyEmail: { readonly user: { readonly email: string | null, readonly emailVerified: boolean } } };

export type ApiKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type ApiKeysQuery = { readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly name: string, readonly prefix: string, readonly scopes: ReadonlyArray<ApiKeyScope>, readonly groupIds: ReadonlyArray<string> | null, readonly expiresAt: string | null, readonly lastUsedAt: string | null }> };

export type AuditEventsQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditEventsQuery = { readonly auditEvents: { readonly nodes: ReadonlyArray<{ readonly at: string, readonly action: string, readonly detail: unknown, readonly actor: { readonly username: string } | null, readonly subject: { readonly username: string } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { readonly createApiKey: { readonly secret: string, readonly apiKey: { readonly id: string, readonly name: string, readonly prefix: string, readonly scopes: ReadonlyArray<ApiKeyScope>, readonly expiresAt: string | null } } };

export type FollowUpsQueryVariables = Exact<{
  status?: FollowUpStatus | null | undefined;
}>;


export type FollowUpsQuery = { readonly followUps: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly status: FollowUpStatus, readonly attempts: number, readonly lastError: string | null, readonly user: { readonly username: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type RetryFollowUpMutationVariables = Exact<{
  input: RetryFollowUpInput;
}>;


export type RetryFollowUpMutation = { readonly retryFollowUp: { readonly followUp: { readonly name: string, readonly status: FollowUpStatus, readonly attempts: number } } };

export type RevokeApiKeyMutationVariables = Exact<{
  input: RevokeApiKeyInput;
}>;


export type RevokeApiKeyMutation = { readonly revokeApiKey: { readonly apiKey: { readonly id: string, readonly name: string } } };

export type SetUserDisabledMutationVariables = Exact<{
  input: SetUserDisabledInput;
}>;


export type SetUserDisabledMutation = { readonly setUserDisabled: { readonly user: { readonly username: string, readonly disabled: boolean } } };

export type SetUserRoleMutationVariables = Exact<{
  input: SetUserRoleInput;
}>;


export type SetUserRoleMutation = { readonly setUserRole: { readonly user: { readonly username: string, readonly roles: ReadonlyArray<AccountRole> } } };

export type UsersQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type UsersQuery = { readonly users: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly username: string, readonly email: string | null, readonly emailVerified: boolean, readonly roles: ReadonlyArray<AccountRole>, readonly disabled: boolean, readonly lastLoginAt: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CancelGroupMutationVariables = Exact<{
  input: CancelGroupInput;
}>;


export type CancelGroupMutation = { readonly cancelGroup: { readonly group: { readonly state: GroupState } } };

export type ChangeMemberRoleMutationVariables = Exact<{
  input: ChangeMemberRoleInput;
}>;


export type ChangeMemberRoleMutation = { readonly changeMemberRole: { readonly member: { readonly role: GroupRole, readonly user: { readonly username: string } } } };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
}>;


export type CreateGroupMutation = { readonly createGroup: { readonly group: { readonly id: string, readonly name: string, readonly state: GroupState, readonly quorum: number | null, readonly requiredCount: number, readonly memberCount: number, readonly acceptedCount: number, readonly revision: number } } };

export type GroupChangedSubscriptionVariables = Exact<{
  groupId: string;
  afterRevision?: number | null | undefined;
}>;


export type GroupChangedSubscription = { readonly groupChanged: { readonly revision: number, readonly cause: ChangeCause, readonly status: ResponseStatus | null, readonly before: GroupState | null, readonly after: GroupState, readonly at: string, readonly actor: { readonly username: string } | null, readonly subject: { readonly username: string } | null, readonly counts: { readonly pending: number, readonly accepted: number, readonly tentative: number, readonly declined: number } } };

export type GroupQueryVariables = Exact<{
  id: string;
}>;


export type GroupQuery = { readonly group: { readonly name: string, readonly state: GroupState, readonly stateChangedAt: string, readonly requiredCount: number, readonly memberCount: number, readonly acceptedCount: number, readonly responseCounts: { readonly pending: number, readonly accepted: number, readonly tentative: number, readonly declined: number, readonly openInvitations: number }, readonly compatibilityScore: { readonly value: number, readonly source: string, readonly scoredAt: string, readonly stale: boolean } | null, readonly members: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly role: GroupRole, readonly status: ResponseStatus, readonly respondedAt: string | null, readonly user: { readonly id: string, readonly username: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly invitations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly email: string, readonly expiresAt: string }> } | null, readonly history: { readonly nodes: ReadonlyArray<{ readonly revision: number, readonly cause: ChangeCause, readonly before: GroupState | null, readonly after: GroupState, readonly at: string }> } } };

export type LeaveGroupMutationVariables = Exact<{
  input: LeaveGroupInput;
}>;


export type LeaveGroupMutation = { readonly leaveGroup: { readonly groupId: string } };

export type NodeQueryVariables = Exact<{
  id: string | number;
}>;


export type NodeQuery = { readonly node:
    | { readonly __typename: 'CompatibilityScore', readonly id: string }
    | { readonly __typename: 'Group', readonly name: string, readonly state: GroupState, readonly revision: number, readonly id: string }
    | { readonly __typename: 'GroupChange', readonly id: string }
    | { readonly __typename: 'Invitation', readonly id: string }
    | { readonly __typename: 'Member', readonly id: string }
    | { readonly __typename: 'User', readonly id: string }
   | null };

export type NodesQueryVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type NodesQuery = { readonly nodes: ReadonlyArray<
    | { readonly __typename: 'CompatibilityScore', readonly id: string }
    | { readonly __typename: 'Group', readonly name: string, readonly state: GroupState, readonly id: string }
    | { readonly __typename: 'GroupChange', readonly id: string }
    | { readonly __typename: 'Invitation', readonly id: string }
    | { readonly __typename: 'Member', readonly id: string }
    | { readonly __typename: 'User', readonly username: string, readonly displayName: string | null, readonly id: string }
   | null> };

export type RecordCompatibilityScoreMutationVariables = Exact<{
  input: RecordCompatibilityScoreInput;
}>;


export type RecordCompatibilityScoreMutation = { readonly recordCompatibilityScore: { readonly group: { readonly id: string, readonly compatibilityScore: { readonly value: number, readonly source: string, readonly scoredAt: string, readonly stale: boolean } | null } } };

export type RemoveMemberMutationVariables = Exact<{
  input: RemoveMemberInput;
}>;


export type RemoveMemberMutation = { readonly removeMember: { readonly group: { readonly memberCount: number, readonly state: GroupState } } };

export type UpdateGroupMutationVariables = Exact<{
  input: UpdateGroupInput;
}>;


export type UpdateGroupMutation = { readonly updateGroup: { readonly group: { readonly name: string, readonly state: GroupState, readonly quorum: number | null, readonly respondBy: string | null, readonly requiredCount: number, readonly revision: number } } };

export type UpdateMemberStatusMutationVariables = Exact<{
  input: UpdateMemberStatusInput;
}>;


export type UpdateMemberStatusMutation = { readonly updateMemberStatus: { readonly changed: boolean, readonly previousState: GroupState, readonly member: { readonly status: ResponseStatus, readonly respondedAt: string | null, readonly revision: number }, readonly group: { readonly state: GroupState, readonly acceptedCount: number, readonly requiredCount: number } } };

export type UserQueryVariables = Exact<{
  id: string;
}>;


export type UserQuery = { readonly user: { readonly id: string, readonly username: string, readonly displayName: string | null, readonly createdAt: string } };

export type WhatIfQueryVariables = Exact<{
  id: string;
  userId: string;
}>;


export type WhatIfQuery = { readonly group: { readonly state: GroupState, readonly whatIf: GroupState } };

export type ClaimInvitationMutationVariables = Exact<{
  input: ClaimInvitationInput;
}>;


export type ClaimInvitationMutation = { readonly claimInvitation: { readonly member: { readonly status: ResponseStatus, readonly group: { readonly name: string, readonly state: GroupState } } } };

export type InboxQueryVariables = Exact<{ [key: string]: never; }>;


export type InboxQuery = { readonly me: { readonly invitations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly expiresAt: string, readonly group: { readonly name: string, readonly state: GroupState }, readonly invitedBy: { readonly username: string } | null }> }, readonly memberships: { readonly nodes: ReadonlyArray<{ readonly role: GroupRole, readonly status: ResponseStatus, readonly group: { readonly id: string, readonly name: string, readonly state: GroupState } }> } } };

export type InvitationQueryVariables = Exact<{
  secret: string;
}>;


export type InvitationQuery = { readonly invitation: { readonly groupName: string, readonly invitedBy: string | null, readonly expiresAt: string } };

export type InviteByEmailMutationVariables = Exact<{
  input: InviteToGroupInput;
}>;


export type InviteByEmailMutation = { readonly inviteToGroup: { readonly results: ReadonlyArray<{ readonly outcome: InviteOutcome, readonly invitation: { readonly id: string, readonly email: string, readonly expiresAt: string } | null }>, readonly group: { readonly responseCounts: { readonly openInvitations: number } } } };

export type InviteToGroupMutationVariables = Exact<{
  input: InviteToGroupInput;
}>;


export type InviteToGroupMutation = { readonly inviteToGroup: { readonly results: ReadonlyArray<{ readonly outcome: InviteOutcome, readonly member: { readonly status: ResponseStatus, readonly user: { readonly id: string, readonly username: string } } | null }>, readonly group: { readonly id: string, readonly state: GroupState, readonly memberCount: number, readonly acceptedCount: number, readonly revision: number } } };

export type RevokeInvitationMutationVariables = Exact<{
  input: RevokeInvitationInput;
}>;


export type RevokeInvitationMutation = { readonly revokeInvitation: { readonly group: { readonly responseCounts: { readonly openInvitations: number } } } };

export type WelcomeQueryVariables = Exact<{ [key: string]: never; }>;


export type WelcomeQuery = { readonly __typename: 'Query' };
