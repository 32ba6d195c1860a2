import type { z } from 'zod';
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
import {
  PROFILE,
  REGISTERED_ACCOUNT,
  REGISTRATION,
  REVOCATION,
  REVOKED,
  TOKEN_REQUEST,
  TOKENS,
} from './auth-schemas.js';
import { asOperationInput, toGraphqlNames, toRestEnumValue } from './case-mapping.js';
import { IDEMPOTENCY_KEY } from './request-headers.js';
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
  operationId: 'issueToken',
  summary: 'Get an access token',
  description:
    'Exchanges a username and a password, or a refresh token, for an access token and the next refresh token. ' +
    'Follows RFC 6749, sections 4.3 and 6, without client authentication. Errors also have the members of ' +
    'section 5.2. A form gets them as `application/json`, with status 400 where that section defines the error. ' +
    'A refresh token is valid once. Its second use ends the session.',
  needsToken: false,
  body: 'json-or-form',
  requestSchema: TOKEN_REQUEST,
  responseSchema: TOKENS,
  reasons: ['WRONG_CREDENTIALS', 'REFRESH_INVALID', 'REFRESH_REUSED', 'RATE_LIMITED'],
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
  operationId: 'revokeToken',
  summary: 'Revoke a session',
  description:
    'Ends the session of a refresh token or an access token. An unknown token is no error. Follows RFC 7009 without ' +
    'client authentication. Errors have the form of those of the token endpoint.',
  needsToken: false,
  body: 'json-or-form',
  requestSchema: REVOCATION,
  responseSchema: REVOKED,
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
    operationId: 'register',
    summary: 'Create an account',
    description:
      'Creates an account and queues its follow-ups, such as the mail that verifies its address. The response ' +
      'contains no token: the next request is POST /api/auth/token. ' +
      'With an Idempotency-Key, the same request within 24 hours returns the same account and creates nothing again.',
    requestSchema: REGISTRATION,
    responseSchema: REGISTERED_ACCOUNT,
    headers: { 'Idempotency-Key': IDEMPOTENCY_KEY },
    reasons: [
      'PASSWORD_TOO_SHORT',
      'PASSWORD_TOO_LONG',
      'PASSWORD_TOO_COMMON',
      'IDEMPOTENCY_KEY_REUSED',
      'INVITATION_NOT_FOUND',
      'USERNAME_TAKEN',
      'REQUEST_IN_PROGRESS',
      'RATE_LIMITED',
    ],
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
        follow_ups: followUps.map(({ name, status }) => ({ name, status: toRestEnumValue(status) })),
      },
      location: '/api/auth/me',
    }),
  }),
  TOKEN_ROUTE,
  REVOKE_ROUTE,
  defineRoute({
    method: 'GET',
    path: '/api/auth/me',
    operationId: 'getProfile',
    summary: 'Get the profile',
    description: 'Returns the profile of the user of the token. API keys have no profile and are rejected.',
    responseSchema: PROFILE,
    reasons: ['SCOPE_REQUIRED'],
    needsToken: true,
    operation: MeDocument,
    variables: () => ({}),
    toResponse: ({ me }) => ({ body: { ...toProfile(me), roles: me.roles.map(toRestEnumValue) } }),
  }),
];

function toProfile(user: RegisterMutation['register']['user']): Omit<z.output<typeof PROFILE>, 'roles'> {
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
}: IssueTokenMutation['issueToken']): RestResponse<z.output<typeof TOKENS>> {
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
