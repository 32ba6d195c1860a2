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
];
