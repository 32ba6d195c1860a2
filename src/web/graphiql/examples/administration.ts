import type {
  CreateApiKeyMutationVariables,
  FollowUpsQueryVariables,
  RetryFollowUpMutationVariables,
  RevokeApiKeyMutationVariables,
  SetUserDisabledMutationVariables,
  SetUserRoleMutationVariables,
  UsersQueryVariables,
} from '../../generated/example-operations.js';
import apiKeys from './administration/api-keys.graphql';
import auditEvents from './administration/audit-events.graphql';
import createApiKey from './administration/create-api-key.graphql';
import followUps from './administration/follow-ups.graphql';
import retryFollowUp from './administration/retry-follow-up.graphql';
import revokeApiKey from './administration/revoke-api-key.graphql';
import setUserDisabled from './administration/set-user-disabled.graphql';
import setUserRole from './administration/set-user-role.graphql';
import users from './administration/users.graphql';
import type { ExampleOperation } from './example-operation.js';
import { USER_ID } from './placeholders.js';

export const ADMINISTRATION_EXAMPLES: readonly ExampleOperation[] = [
  { query: users, variables: { search: null } satisfies UsersQueryVariables },
  {
    query: setUserRole,
    variables: { input: { userId: USER_ID, role: 'ADMIN' } } satisfies SetUserRoleMutationVariables,
  },
  {
    query: setUserDisabled,
    variables: { input: { userId: USER_ID, disabled: true } } satisfies SetUserDisabledMutationVariables,
  },
  {
    query: createApiKey,
    variables: {
      input: { name: 'Matching service', scopes: ['SCORES_WRITE'] },
    } satisfies CreateApiKeyMutationVariables,
  },
  { query: apiKeys },
  {
    query: revokeApiKey,
    variables: { input: { apiKeyId: 'paste the id of an API key' } } satisfies RevokeApiKeyMutationVariables,
  },
  { query: auditEvents },
  { query: followUps, variables: { status: null } satisfies FollowUpsQueryVariables },
  {
    query: retryFollowUp,
    variables: {
      input: { followUpId: 'paste the id of a failed follow-up' },
    } satisfies RetryFollowUpMutationVariables,
  },
];
