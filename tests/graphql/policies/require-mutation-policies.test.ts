import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { requireMutationPolicies } from '../../../src/graphql/policies/require-mutation-policies.js';
import { buildGraphqlSchema } from '../../../src/graphql/schema.js';

const MUTATIONS = Object.values(buildGraphqlSchema().getMutationType()?.getFields() ?? {});

describe('requireMutationPolicies', () => {
  it.each([
    ['neither policy', {}],
    ['no audit policy', { limitedPerCaller: true }],
    ['no concurrency limit', { audited: false }],
  ])('throws when a mutation declares %s', (_, extensions) => {
    expect(() => requireMutationPolicies(schemaWith(extensions))).toThrow(
      'Mutations without @AuditedAs or @NotAudited, or without @LimitedPerCaller: rename',
    );
  });

  it.each([true, false])('returns the schema when each mutation declares its policies, audited: %s', (audited) => {
    const schema = schemaWith({ audited, limitedPerCaller: true });
    expect(requireMutationPolicies(schema)).toBe(schema);
  });
});

describe('the mutations of the schema', () => {
  // A mutation that is new here has been checked: does an operator need to know of its success?
  it('emit no security event for these only', () => {
    const silent = MUTATIONS.filter(({ extensions }) => extensions.audited === false).map(({ name }) => name);
    expect(silent.toSorted()).toEqual([
      'cancelGroup',
      'changeMemberRole',
      'claimInvitation',
      'createGroup',
      'inviteToGroup',
      'leaveGroup',
      'recordCompatibilityScore',
      'removeMember',
      'requestEmailVerification',
      'requestPasswordReset',
      'revokeInvitation',
      'updateGroup',
      'updateMemberStatus',
    ]);
  });

  it('need no access token for these only', () => {
    const open = MUTATIONS.filter(({ extensions }) => extensions.public === true).map(({ name }) => name);
    expect(open.toSorted()).toEqual([
      'issueToken',
      'refreshToken',
      'register',
      'requestPasswordReset',
      'resetPassword',
      'revokeToken',
      'verifyEmail',
    ]);
  });
});

function schemaWith(extensions: object) {
  const schema = buildSchema('type Query { name: String } type Mutation { rename: String }');
  Object.assign(schema.getMutationType()?.getFields()['rename']?.extensions ?? {}, extensions);
  return schema;
}
