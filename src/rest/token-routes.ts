import { InvalidInputError } from '../errors/index.js';
import {
  IssueTokenDocument,
  RefreshTokenDocument,
  RevokeTokenDocument,
  type IssueTokenMutation,
} from './generated/operations.js';
import { defineOperation, defineRoute, type RestResponse, type RestRoute } from './route.js';
import { isRefreshGrant, toIssueTokenVariables } from './token-request.js';

export const TOKEN_PATH = '/api/auth/token';
export const REVOKE_PATH = '/api/auth/revoke';

type Tokens = IssueTokenMutation['issueToken'];

/** A login, or the renewal of one: the grant type tells (RFC 6749, sections 4.3 and 6). */
export const TOKEN_ROUTE: RestRoute = defineRoute({
  method: 'POST',
  path: TOKEN_PATH,
  summary: 'Exchanges a username and a password, or a refresh token, for an access token.',
  needsToken: false,
  body: 'json-or-form',
  operation: IssueTokenDocument,
  variables: ({ body }) => toIssueTokenVariables(body),
  answer: ({ issueToken }) => tokenAnswer(issueToken),
  variant: {
    matches: ({ body }) => isRefreshGrant(body),
    operation: defineOperation({
      operation: RefreshTokenDocument,
      variables: ({ body }) => ({ input: { refreshToken: required('refresh_token', body.refresh_token) } }),
      answer: ({ refreshToken }) => tokenAnswer(refreshToken),
    }),
  },
  oauthErrors: true,
});

/** Logging out as OAuth clients do it (RFC 7009): what else stands in the body, `token_type_hint` included, is ignored. */
export const REVOKE_ROUTE: RestRoute = defineRoute({
  method: 'POST',
  path: REVOKE_PATH,
  summary: 'Ends the session of a refresh token or an access token; a token that is not known is no error.',
  needsToken: false,
  body: 'json-or-form',
  operation: RevokeTokenDocument,
  variables: ({ body }) => ({ input: { refreshToken: required('token', body.token) } }),
  answer: () => ({ body: {} }),
  fieldNames: { refreshToken: 'token' },
  oauthErrors: true,
});

function tokenAnswer({ accessToken, tokenType, expiresIn, refreshToken, user }: Tokens): RestResponse {
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
 * A parameter without a value counts as left out (RFC 6749, section 3.2).
 *
 * @throws InvalidInputError when it is missing
 */
function required(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '')
    throw new InvalidInputError([{ field, message: 'is required' }]);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- its type is GraphQL's to check
  return value as string;
}
