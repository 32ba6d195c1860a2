import { InvalidInputError } from '../../errors/index.js';
import {
  IssueTokenDocument,
  RefreshTokenDocument,
  RevokeTokenDocument,
  type IssueTokenMutation,
} from '../generated/operations.js';
import { defineOperation, defineRoute, type RestResponse, type RestRoute } from './route.js';
import { isRefreshGrant, toIssueTokenVariables } from './token-request.js';

export const TOKEN_PATH = '/api/auth/token';
export const REVOKE_PATH = '/api/auth/revoke';

type Tokens = IssueTokenMutation['issueToken'];

/** Login or token refresh, depending on the grant type (RFC 6749, sections 4.3 and 6). */
export const TOKEN_ROUTE: RestRoute = defineRoute({
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
export const REVOKE_ROUTE: RestRoute = defineRoute({
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

function toTokenResponse({ accessToken, tokenType, expiresIn, refreshToken, user }: Tokens): RestResponse {
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
