/** One tab of GraphiQL. */
export interface ExampleOperation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const GROUP_ID = 'paste the id of a group';
const USER_ID = 'paste the id of a user';

/** What a newcomer would do, in that order: from an account to a group that has its answers and a score. */
export const EXAMPLE_OPERATIONS: readonly ExampleOperation[] = [
  {
    // GraphiQL shows no variables in the tab that it opens with, so this one has none.
    query: `# From left to right, the tabs lead from an
# account to a group with answers and a score.
#
# 1. Run Register, then IssueToken, and copy
#    the accessToken of its answer.
# 2. In each tab that follows, open "Headers"
#    below and paste it over the placeholder.
# 3. Fill in the variables, and run the tab
#    with the button or Ctrl-Enter.
#
# Ctrl-Space completes what you type.
query Welcome {
  __typename
}
`,
  },
  {
    query: `# Makes an account.
mutation Register($input: RegisterInput!) {
  register(input: $input) {
    user { id username email emailVerified }
    followUps { name status }
  }
}
`,
    variables: { input: { username: 'ada', password: 'seven quiet lanterns', email: 'ada@example.org' } },
  },
  {
    query: `# Gets a token: paste the accessToken into
# "Headers" of the tabs that follow.
mutation IssueToken($input: IssueTokenInput!) {
  issueToken(input: $input) {
    accessToken
    expiresIn
    user { id }
  }
}
`,
    variables: { input: { username: 'ada', password: 'seven quiet lanterns' } },
  },
  {
    query: `# Who am I? This and all that follows takes
# the token, below under "Headers".
query Me {
  me {
    id
    username
    displayName
    email
    emailVerified
    roles
    createdAt
  }
}
`,
  },
  {
    query: `# Makes a group. Without a quorum everyone
# has to accept.
mutation CreateGroup($input: CreateGroupInput!) {
  createGroup(input: $input) {
    group { id name state quorum requiredCount memberCount acceptedCount revision }
  }
}
`,
    variables: { input: { name: 'Sunday hike', description: 'Once around the lake.', quorum: 2 } },
  },
  {
    query: `# Invites people, by username or by user id.
mutation InviteToGroup($input: InviteToGroupInput!) {
  inviteToGroup(input: $input) {
    results { outcome member { user { id username } status } }
    group { id state memberCount acceptedCount revision }
  }
}
`,
    variables: { input: { groupId: GROUP_ID, invitees: [{ username: 'grace' }] } },
  },
  {
    query: `# How does the group stand?
query Group($id: UUID!) {
  group(id: $id) {
    name
    state
    stateChangedAt
    requiredCount
    memberCount
    acceptedCount
    responseCounts { pending accepted tentative declined }
    compatibilityScore { value source scoredAt stale }
    members(first: 50) {
      totalCount
      nodes { user { id username } role status respondedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
}
`,
    variables: { id: GROUP_ID },
  },
  {
    query: `# Shows what happens to the group, as it
# happens: leave it running, and answer in
# the next tab. afterRevision 0 begins with
# the group's creation, null with what comes.
subscription GroupChanged($groupId: UUID!, $afterRevision: Int) {
  groupChanged(groupId: $groupId, afterRevision: $afterRevision) {
    revision
    cause
    actor { username }
    subject { username }
    status
    before
    after
    counts { pending accepted tentative declined }
    at
  }
}
`,
    variables: { groupId: GROUP_ID, afterRevision: 0 },
  },
  {
    query: `# Answers an invitation: ACCEPTED, TENTATIVE,
# DECLINED or PENDING. Everyone answers for
# themselves.
mutation UpdateMemberStatus($input: UpdateMemberStatusInput!) {
  updateMemberStatus(input: $input) {
    changed
    previousState
    member { status respondedAt revision }
    group { state acceptedCount requiredCount }
  }
}
`,
    variables: { input: { groupId: GROUP_ID, userId: USER_ID, status: 'ACCEPTED' } },
  },
  {
    query: `# Writes the score, 0 to 100. Takes an API key with
# the scope SCORES_WRITE, or an admin's token.
mutation RecordCompatibilityScore($input: RecordCompatibilityScoreInput!) {
  recordCompatibilityScore(input: $input) {
    group { id compatibilityScore { value source scoredAt stale } }
  }
}
`,
    variables: { input: { groupId: GROUP_ID, value: 87.5, source: 'matching-service' } },
  },
  {
    query: `# Changes the name or the rule: null clears,
# what is left out stays.
mutation UpdateGroup($input: UpdateGroupInput!) {
  updateGroup(input: $input) {
    group { name state quorum respondBy requiredCount revision }
  }
}
`,
    variables: { input: { groupId: GROUP_ID, quorum: 3, respondBy: '2030-01-31T18:00:00Z' } },
  },
  {
    query: `# What if a member answered so? Nothing is written.
query WhatIf($id: UUID!, $userId: UUID!) {
  group(id: $id) { state whatIf(userId: $userId, status: ACCEPTED) }
}
`,
    variables: { id: GROUP_ID, userId: USER_ID },
  },
  {
    query: `# Offers a place to an address. Takes a verified
# address of one's own.
mutation InviteByEmail($input: InviteToGroupInput!) {
  inviteToGroup(input: $input) {
    results { outcome invitation { id email expiresAt } }
    group { responseCounts { openInvitations } }
  }
}
`,
    variables: { input: { groupId: GROUP_ID, invitees: [{ email: 'grace@example.org' }] } },
  },
  {
    query: `# What is open to one's verified address, and
# every place that one has.
query Inbox {
  me {
    invitations { nodes { id expiresAt group { name state } invitedBy { username } } }
    memberships { nodes { role status group { id name state } } }
  }
}
`,
  },
  {
    query: `# Takes the place, with an answer: by the secret
# from the mail, or by the id from one's inbox.
mutation ClaimInvitation($input: ClaimInvitationInput!) {
  claimInvitation(input: $input) { member { status group { name state } } }
}
`,
    variables: { input: { secret: 'paste what follows #secret= in the mailed link', status: 'ACCEPTED' } },
  },
  {
    query: `# Takes an invitation back; its link stops working.
mutation RevokeInvitation($input: RevokeInvitationInput!) {
  revokeInvitation(input: $input) { group { responseCounts { openInvitations } } }
}
`,
    variables: { input: { invitationId: 'paste the id of an invitation' } },
  },
  {
    query: `# Makes another owner: a group always keeps one.
mutation ChangeMemberRole($input: ChangeMemberRoleInput!) {
  changeMemberRole(input: $input) { member { role user { username } } }
}
`,
    variables: { input: { groupId: GROUP_ID, userId: USER_ID, role: 'OWNER' } },
  },
  {
    query: `# Takes a member out of the group.
mutation RemoveMember($input: RemoveMemberInput!) {
  removeMember(input: $input) { group { memberCount state } }
}
`,
    variables: { input: { groupId: GROUP_ID, userId: USER_ID } },
  },
  {
    query: `# Leaves the group.
mutation LeaveGroup($input: LeaveGroupInput!) {
  leaveGroup(input: $input) { groupId }
}
`,
    variables: { input: { groupId: GROUP_ID } },
  },
  {
    query: `# Cancels the group, for good.
mutation CancelGroup($input: CancelGroupInput!) {
  cancelGroup(input: $input) { group { state } }
}
`,
    variables: { input: { groupId: GROUP_ID } },
  },
  {
    query: `# What deleting one's account would do, and all
# that is held about it.
query BeforeLeaving {
  me {
    deletionPreview {
      blockingGroups { id name }
      changingGroups { group { name } before after }
      sentInvitations
    }
    export
  }
}
`,
  },
  {
    query: `# Deletes one's account and everything about it.
mutation DeleteAccount($input: DeleteAccountInput!) {
  deleteAccount(input: $input) { deletedUserId }
}
`,
    variables: { input: { password: 'the password of the account' } },
  },
];
