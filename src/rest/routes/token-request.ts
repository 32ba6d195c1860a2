import { InvalidInputError } from '../../errors/index.js';
import type { IssueTokenMutationVariables } from '../generated/operations.js';
import { asOperationInput } from './case-mapping.js';

/** Legacy clients omit the grant type or send an empty one. */
const PASSWORD_GRANTS: readonly unknown[] = [undefined, '', 'password'];

export function isRefreshGrant(body: Readonly<Record<string, unknown>>): boolean {
  return body.grant_type === 'refresh_token';
}

/**
 * Maps a token request to the variables of a login. Unknown parameters are ignored (RFC 6749, section 3.2).
 *
 * @throws InvalidInputError for an unsupported grant type
 */
export function toIssueTokenVariables(body: Readonly<Record<string, unknown>>): IssueTokenMutationVariables {
  if (!PASSWORD_GRANTS.includes(body.grant_type)) {
    throw new InvalidInputError([
      { field: 'grant_type', message: 'must be password or refresh_token, or be left out' },
    ]);
  }
  return { input: asOperationInput({ username: body.username, password: body.password }) };
}
