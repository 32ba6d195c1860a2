import { PASSWORD } from '../support/service/test-users.js';
import { UNKNOWN_ID } from '../support/unknown-id.js';

/** The objects that an operation refers to, created for each run. */
export interface OperationFixture {
  readonly groupId: string;
  readonly owner: { readonly id: string; readonly username: string };
  readonly member: { readonly id: string };
  readonly stranger: { readonly username: string };
  /** A name that no account has. */
  readonly freeName: string;
  /** An address that no account has. */
  readonly newAddress: string;
}

export interface Operation {
  readonly kind: 'query' | 'mutation';
  /** The selection of the result. */
  readonly selection: string;
  /** The smallest input: every optional argument and input field is omitted. */
  readonly variables: (fixture: OperationFixture) => Readonly<Record<string, unknown>>;
}

function mutation(
  selection: string,
  input?: (fixture: OperationFixture) => Readonly<Record<string, unknown>>,
): Operation {
  return {
    kind: 'mutation',
    selection,
    variables: (fixture) => (input === undefined ? {} : { input: input(fixture) }),
  };
}

/** Every field of Query and Mutation, with the smallest input. A test fails when one is missing. */
export const OPERATIONS = {
  me: { kind: 'query', selection: '{ id }', variables: () => ({}) },
  group: { kind: 'query', selection: '{ id }', variables: ({ groupId }) => ({ id: groupId }) },
  user: { kind: 'query', selection: '{ id }', variables: ({ member }) => ({ id: member.id }) },
  node: { kind: 'query', selection: '{ id }', variables: ({ groupId }) => ({ id: groupId }) },
  nodes: { kind: 'query', selection: '{ id }', variables: ({ groupId }) => ({ ids: [groupId] }) },
  invitation: { kind: 'query', selection: '{ groupName }', variables: () => ({ secret: 'nonsense' }) },

  register: mutation('{ user { id } }', ({ freeName }) => ({ username: freeName, password: PASSWORD })),
  issueToken: mutation('{ expiresIn }', ({ owner }) => ({ username: owner.username, password: PASSWORD })),
  refreshToken: mutation('{ expiresIn }', () => ({ refreshToken: 'nonsense' })),
  revokeToken: mutation('{ revokedSessions }', () => ({})),
  revokeSession: mutation('{ revokedSessions }', () => ({ sessionId: UNKNOWN_ID })),
  requestEmailVerification: mutation('{ sent }'),
  verifyEmail: mutation('{ user { id } }', () => ({ secret: 'nonsense' })),
  requestPasswordReset: mutation('{ accepted }', () => ({ email: 'nobody@example.org' })),
  resetPassword: mutation('{ revokedSessions }', () => ({ secret: 'nonsense', newPassword: `${PASSWORD} more` })),
  changePassword: mutation('{ revokedSessions }', () => ({
    currentPassword: 'not it',
    newPassword: `${PASSWORD} more`,
  })),
  updateProfile: mutation('{ user { id } }', () => ({})),
  deleteAccount: mutation('{ deletedUserId }', () => ({ password: 'not it' })),

  users: { kind: 'query', selection: '{ totalCount }', variables: () => ({}) },
  followUps: { kind: 'query', selection: '{ totalCount }', variables: () => ({}) },
  apiKeys: { kind: 'query', selection: '{ id }', variables: () => ({}) },
  auditEvents: { kind: 'query', selection: '{ totalCount }', variables: () => ({}) },
  setUserDisabled: mutation('{ user { id } }', () => ({ userId: UNKNOWN_ID, disabled: true })),
  setUserRole: mutation('{ user { id } }', () => ({ userId: UNKNOWN_ID, role: 'ADMIN' })),
  retryFollowUp: mutation('{ followUp { id } }', () => ({ followUpId: UNKNOWN_ID })),
  createApiKey: mutation('{ apiKey { id } }', () => ({ name: 'matcher', scopes: ['GROUPS_READ'] })),
  revokeApiKey: mutation('{ apiKey { id } }', () => ({ apiKeyId: UNKNOWN_ID })),

  createGroup: mutation('{ group { id } }', () => ({ name: 'Choir' })),
  updateGroup: mutation('{ group { id } }', ({ groupId }) => ({ groupId })),
  cancelGroup: mutation('{ group { id } }', ({ groupId }) => ({ groupId })),
  inviteToGroup: mutation('{ group { id } }', ({ groupId, stranger }) => ({
    groupId,
    invitees: [{ username: stranger.username }],
  })),
  revokeInvitation: mutation('{ group { id } }', () => ({ invitationId: UNKNOWN_ID })),
  claimInvitation: mutation('{ member { revision } }', () => ({ secret: 'nonsense' })),
  updateMemberStatus: mutation('{ changed }', ({ groupId, member }) => ({
    groupId,
    userId: member.id,
    status: 'ACCEPTED',
  })),
  changeMemberRole: mutation('{ member { role } }', ({ groupId, member }) => ({
    groupId,
    userId: member.id,
    role: 'OWNER',
  })),
  removeMember: mutation('{ group { id } }', ({ groupId, member }) => ({ groupId, userId: member.id })),
  leaveGroup: mutation('{ groupId }', ({ groupId }) => ({ groupId })),
  recordCompatibilityScore: mutation('{ group { id } }', ({ groupId }) => ({ groupId, value: 50, source: 'matcher' })),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** The document that runs one operation with its arguments as variables, under the names of the arguments. */
export function documentOf(name: OperationName, argumentTypes: Readonly<Record<string, string>>): string {
  const { kind, selection } = OPERATIONS[name];
  const names = Object.keys(argumentTypes);
  const declared = names.map((argument) => `$${argument}: ${argumentTypes[argument] ?? ''}`).join(', ');
  const passed = names.map((argument) => `${argument}: $${argument}`).join(', ');
  if (names.length === 0) return `${kind} { ${name} ${selection} }`;
  return `${kind} (${declared}) { ${name}(${passed}) ${selection} }`;
}
