import { InvalidInputError } from '../errors/index.js';
import { asOperationInput } from './case-mapping.js';
import type { IssueTokenMutationVariables } from './generated/operations.js';

/** Legacy clients send no grant type, or an empty one. */
const PASSWORD_GRANTS: readonly unknown[] = [undefined, '', 'password'];

export function isRefreshGrant(body: Readonly<Record<string, unknown>>): boolean {
  return body.grant_type === 'refresh_token';
}

/**
 * The variables of a login from a token request. What it does not know is ignored (RFC 6749 section 3.2).
 *
 * @throws InvalidInputError for a grant type that is not offered
 */
export function toIssueTokenVariables(body: Readonly<Record<string, unknown>>): IssueTokenMutationVariables {
  if (!PASSWORD_GRANTS.includes(body.grant_type)) {
    throw new InvalidInputError([
      { field: 'grant_type', message: 'must be password or refresh_token, or be left out' },
    ]);
  }
  return { input: asOperationInput({ username: body.username, password: body.password }) };
}

/** The error codes of RFC 6749 section 5.2, by the service's own; the last two are borrowed from section 4.1.2.1. */
export function toOAuthErrorCode(status: number, fields: readonly { readonly field: string }[] | undefined): string {
  if (fields?.some(({ field }) => field === 'grant_type') === true) return 'unsupported_grant_type';
  if (status === 401) return 'invalid_grant';
  if (status === 500) return 'server_error';
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  return 'invalid_request';
}
