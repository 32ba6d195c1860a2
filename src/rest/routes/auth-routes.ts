import { InvalidInputError } from '../../errors/index.js';
import {
  IssueTokenDocument,
  MeDocument,
  RefreshTokenDocument,
  RegisterDocument,
  RevokeTokenDocument,
  type IssueTokenMutation,
  type IssueTokenMutationVariables,
  type RegisterMutation,
} from '../generated/operations.js';
import { asOperationInput, toGraphqlNames } from './case-mapping.js';
import { defineOperation, defineRoute, type RestResponse, type RestRoute } from './route.js';

export const TOKEN_PATH = '/api/auth/token';
export const REVOKE_PATH = '/api/auth/revoke';
/** Legacy clients omit the grant type or send an empty one. */
const PASSWORD_GRANTS: readonly unknown[] = [undefined, '', 'password'];

type Body = Readonly<Record<string, unknown>>;

/** Login or token refresh, depending on the grant type (RFC 6749, sections 4.3 and 6). */
const TOKEN_ROUTE = defineRoute({
  method: 'POST',
  path: TOKEN_PATH,
  summary: 'Exchanges a username and a password, or a refresh token, for an access token.',
  needsToken: false,
  body: 'json-or-form',
  operation: IssueTokenDocument,
  variables: ({ body }) => toIssueTokenVariables(body),
  toResponse: ({ issueToken }) => toTokenResponse(issueToken),
  variant: {
    matches: ({ body }) => isRefreshGrant(body),
    operation: defineOperation({
      operation: RefreshTokenDocument,
      variables: ({ body }) => ({ input: { refreshToken: requireParameter('refresh_token', body.refresh_token) } }),
      toResponse: ({ refreshToken }) => toTokenResponse(refreshToken),
    }),
  },
  oauthErrors: true,
});

/** Token revocation (RFC 7009). Other parameters are ignored, `token_type_hint` included. */
const REVOKE_ROUTE = defineRoute({
  method: 'POST',
  path: REVOKE_PATH,
  summary: 'Ends the session of a refresh token or an access token; a token that is not known is no error.',
  needsToken: false,
  body: 'json-or-form',
  operation: RevokeTokenDocument,
  variables: ({ body }) => ({ input: { refreshToken: requireParameter('token', body.token) } }),
  toResponse: () => ({ body: {} }),
  fieldNames: { refreshToken: 'token' },
  oauthErrors: true,
});

/** Registration, tokens (RFC 6749), token revocation (RFC 7009) and the caller's profile. */
export const AUTH_ROUTES: readonly RestRoute[] = [
  defineRoute({
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Creates an account and queues its follow-ups.',
    needsToken: false,
    body: 'json',
    success: 201,
    operation: RegisterDocument,
    variables: ({ body }) => ({
      input: asOperationInput(
        toGraphqlNames(body, {
          username: 'username',
          password: 'password',
          email: 'email',
          display_name: 'displayName',
          invitation: 'invitation',
        }),
      ),
    }),
    toResponse: ({ register: { user, followUps } }) => ({
      body: {
        ...toProfile(user),
        follow_ups: followUps.map(({ name, status }) => ({ name, status: status.toLowerCase() })),
      },
      location: '/api/auth/me',
    }),
  }),
  TOKEN_ROUTE,
  REVOKE_ROUTE,
  defineRoute({
    method: 'GET',
    path: '/api/auth/me',
    summary: "Gives the profile of the token's user.",
    needsToken: true,
    operation: MeDocument,
    variables: () => ({}),
    toResponse: ({ me }) => ({ body: { ...toProfile(me), roles: me.roles.map((role) => role.toLowerCase()) } }),
  }),
];

function toProfile(user: RegisterMutation['register']['user']): Record<string, unknown> {
  return {
    user_id: user.id,
    username: user.username,
    email: user.email ?? null,
    email_verified: user.emailVerified,
    display_name: user.displayName ?? null,
    created_at: user.createdAt,
  };
}

function isRefreshGrant(body: Body): boolean {
  return body.grant_type === 'refresh_token';
}

/**
 * Maps a token request to the variables of a login. Unknown parameters are ignored (RFC 6749, section 3.2).
 *
 * @throws InvalidInputError for an unsupported grant type
 */
function toIssueTokenVariables(body: Body): IssueTokenMutationVariables {
  if (!PASSWORD_GRANTS.includes(body.grant_type)) {
    throw new InvalidInputError([
      { field: 'grant_type', message: 'must be password or refresh_token, or be left out' },
    ]);
  }
  return { input: asOperationInput({ username: body.username, password: body.password }) };
}

function toTokenResponse({
  accessToken,
  tokenType,
  expiresIn,
  refreshToken,
  user,
}: IssueTokenMutation['issueToken']): RestResponse {
  return {
    body: {
      access_token: accessToken,
      token_type: tokenType,
      expires_in: expiresIn,
      refresh_token: refreshToken,
      user_id: user.id,
    },
  };
}

/**
 * Requires a parameter. One without a value counts as missing (RFC 6749, section 3.2).
 *
 * @throws InvalidInputError when it is missing
 */
function requireParameter(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '')
    throw new InvalidInputError([{ field, message: 'is required' }]);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- GraphQL checks the type
  return value as string;
}
