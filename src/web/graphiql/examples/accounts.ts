import type {
  ChangePasswordMutationVariables,
  DeleteAccountMutationVariables,
  IssueTokenMutationVariables,
  RefreshTokenMutationVariables,
  RegisterMutationVariables,
  RequestPasswordResetMutationVariables,
  ResetPasswordMutationVariables,
  RevokeSessionMutationVariables,
  RevokeTokenMutationVariables,
  UpdateProfileMutationVariables,
  VerifyEmailMutationVariables,
} from '../../generated/example-operations.js';
import beforeLeaving from './accounts/before-leaving.graphql';
import changePassword from './accounts/change-password.graphql';
import deleteAccount from './accounts/delete-account.graphql';
import issueToken from './accounts/issue-token.graphql';
import me from './accounts/me.graphql';
import refreshToken from './accounts/refresh-token.graphql';
import register from './accounts/register.graphql';
import requestEmailVerification from './accounts/request-email-verification.graphql';
import requestPasswordReset from './accounts/request-password-reset.graphql';
import resetPassword from './accounts/reset-password.graphql';
import revokeSession from './accounts/revoke-session.graphql';
import revokeToken from './accounts/revoke-token.graphql';
import updateProfile from './accounts/update-profile.graphql';
import verifyEmail from './accounts/verify-email.graphql';
import type { ExampleOperation } from './example-operation.js';
import { LINK_SECRET } from './placeholders.js';

const USERNAME = 'ada';
const EMAIL = 'ada@example.org';
const PASSWORD = 'seven quiet lanterns';
const NEW_PASSWORD = 'nine louder lanterns';

export const ACCOUNT_EXAMPLES: readonly ExampleOperation[] = [
  {
    query: register,
    variables: {
      input: { username: USERNAME, password: PASSWORD, email: EMAIL },
    } satisfies RegisterMutationVariables,
  },
  {
    query: issueToken,
    variables: { input: { username: USERNAME, password: PASSWORD } } satisfies IssueTokenMutationVariables,
  },
  { query: me },
  {
    query: updateProfile,
    variables: { input: { displayName: 'Ada Lovelace' } } satisfies UpdateProfileMutationVariables,
  },
  { query: requestEmailVerification },
  { query: verifyEmail, variables: { input: { secret: LINK_SECRET } } satisfies VerifyEmailMutationVariables },
  {
    query: changePassword,
    variables: {
      input: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    } satisfies ChangePasswordMutationVariables,
  },
  {
    query: requestPasswordReset,
    variables: { input: { email: EMAIL } } satisfies RequestPasswordResetMutationVariables,
  },
  {
    query: resetPassword,
    variables: {
      input: { secret: LINK_SECRET, newPassword: NEW_PASSWORD },
    } satisfies ResetPasswordMutationVariables,
  },
  {
    query: refreshToken,
    variables: {
      input: { refreshToken: 'paste the refreshToken from IssueToken' },
    } satisfies RefreshTokenMutationVariables,
  },
  {
    query: revokeSession,
    variables: { input: { sessionId: 'paste the id of a session from Me' } } satisfies RevokeSessionMutationVariables,
  },
  { query: revokeToken, variables: { input: { everywhere: false } } satisfies RevokeTokenMutationVariables },
  { query: beforeLeaving },
  { query: deleteAccount, variables: { input: { password: PASSWORD } } satisfies DeleteAccountMutationVariables },
];
