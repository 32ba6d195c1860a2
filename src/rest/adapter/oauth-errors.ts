import { PROBLEM_MEDIA_TYPE, type ErrorDescriptor, type FormatError } from '../../http-core/index.js';

const FORM = /^application\/x-www-form-urlencoded/i;

/** Statuses of the errors that RFC 6749, section 5.2, defines. */
const OAUTH_ERROR_STATUSES: readonly number[] = [401, 403, 422];

/**
 * Adds the members of RFC 6749, section 5.2, to a problem.
 *
 * A client that sent a form gets plain JSON, and status 400 for the errors of that section, as OAuth clients require.
 * Legacy clients send JSON and keep the other statuses.
 */
export const formatOAuthError: FormatError = (problem, descriptor, { headers }) => {
  const oauth = { error: toOAuthErrorCode(problem.status, descriptor), error_description: problem.detail };
  if (!FORM.test(headers['content-type'] ?? '')) {
    return { status: problem.status, mediaType: PROBLEM_MEDIA_TYPE, body: { ...problem, ...oauth } };
  }
  const status = OAUTH_ERROR_STATUSES.includes(problem.status) ? 400 : problem.status;
  return { status, mediaType: 'application/json; charset=utf-8', body: { ...problem, status, ...oauth } };
};

/** Error codes of RFC 6749, section 5.2; those of 5xx and 429 are from section 4.1.2.1. */
function toOAuthErrorCode(status: number, { fields = [] }: ErrorDescriptor): string {
  if (fields.some(({ field }) => field === 'grant_type')) return 'unsupported_grant_type';
  if (status === 401) return 'invalid_grant';
  if (status === 500) return 'server_error';
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  return 'invalid_request';
}
