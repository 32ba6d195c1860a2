import { PROBLEM_MEDIA_TYPE, type ErrorDescriptor, type FormatError } from '../../http-core/index.js';

const FORM = /^application\/x-www-form-urlencoded/i;

/** Adds the members of RFC 6749, section 5.2, to a problem. A client that sent a form gets plain JSON. */
export const formatOAuthError: FormatError = (problem, descriptor, { headers }) => ({
  mediaType: FORM.test(headers['content-type'] ?? '') ? 'application/json; charset=utf-8' : PROBLEM_MEDIA_TYPE,
  body: { ...problem, error: toOAuthErrorCode(problem.status, descriptor), error_description: problem.detail },
});

/** Error codes of RFC 6749, section 5.2; those of 5xx and 429 are from section 4.1.2.1. */
function toOAuthErrorCode(status: number, { fields = [] }: ErrorDescriptor): string {
  if (fields.some(({ field }) => field === 'grant_type')) return 'unsupported_grant_type';
  if (status === 401) return 'invalid_grant';
  if (status === 500) return 'server_error';
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  return 'invalid_request';
}
