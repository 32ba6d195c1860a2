import type { FailedCheck } from './schemathesis-report.js';

/** A failed check that is intended. */
interface Exception {
  readonly title: string;
  readonly reason: string;
  matches(failure: FailedCheck): boolean;
}

interface Problem {
  readonly reason?: string;
  readonly error?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string }[];
}

const UNQUOTED = 'If-Match must be * or a list of quoted entity tags.';

/** Each names the exact response, so that another failure of the same check is not excused. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    title: 'register rejects a name, an address or a password that fits its schema',
    reason:
      'JSON Schema 2020-12, section 6.3 counts code points and knows no classes of Unicode characters: users count ' +
      'grapheme clusters (UAX 29), passwords are normalized (RFC 8265), email domains follow RFC 5890, and common ' +
      'passwords are rejected (NIST SP 800-63B). The document describes the rules, and their 422.',
    matches: isRejection('register', 422, ({ reason, errors = [] }) =>
      reason === 'INVALID_INPUT'
        ? errors.every(({ field }) => ['username', 'display_name', 'email'].includes(field))
        : reason === 'PASSWORD_TOO_COMMON' || reason === 'PASSWORD_TOO_SHORT',
    ),
  },
  {
    title: 'register rejects the Idempotency-Key of another request',
    reason: 'draft-ietf-httpapi-idempotency-key-header, section 2.7: 422 for a key that another payload has used.',
    matches: isRejection('register', 422, ({ reason }) => reason === 'IDEMPOTENCY_KEY_REUSED'),
  },
  {
    title: 'token rejects a form with wrong credentials by 400',
    reason: 'RFC 6749, section 5.2: `invalid_grant` is 400.',
    matches: isRejection('token', 400, ({ error }) => error === 'invalid_grant'),
  },
  {
    title: 'token and revoke reject a form that repeats a parameter',
    reason: 'RFC 6749, section 3.2: parameters must not be included more than once. OpenAPI 3.1 cannot state it.',
    matches: isRejection('(?:token|revoke)', 400, ({ detail }) => detail === 'The form repeats a parameter.'),
  },
  {
    title: 'members rejects a cursor that no list has returned',
    reason: 'A cursor is opaque. Its schema is a string, and the document describes where it comes from.',
    matches: isRejection('members', 422, ({ errors = [] }) => errors.every(({ field }) => field === 'cursor')),
  },
  {
    title: 'status rejects an If-Match that is not current',
    reason: 'RFC 9110, section 13.1.1: 412 when no tag of If-Match is current.',
    matches: isRejection('status', 412, ({ reason }) => reason === 'REVISION_CHANGED'),
  },
  {
    title: 'status rejects an If-Match of alphanumeric characters, which does not fit its schema',
    reason:
      'RFC 9110, section 8.8.3: an entity tag is quoted, as in the pattern of the header. Schemathesis generates ' +
      'alphanumeric headers where it covers other parameters, without regard to that pattern.',
    matches: (failure) =>
      /^\w+$/.test(failure.requestHeaders['if-match'] ?? '') &&
      isRejection('status', 400, ({ detail }) => detail === UNQUOTED)(failure),
  },
  {
    title: 'status rejects an If-Match with more than 10 revisions',
    reason: 'A regular expression cannot count distinct revisions. The document describes the limit.',
    matches: isRejection('status', 400, ({ detail }) => detail === 'If-Match must name at most 10 revisions.'),
  },
];

/** Matches a request that fits the document and is rejected. */
function isRejection(path: string, status: number, accepts: (problem: Problem) => boolean): Exception['matches'] {
  const operation = new RegExp(`/${path}$`);
  return (failure) =>
    failure.check === 'positive_data_acceptance' &&
    failure.status === status &&
    operation.test(failure.operation) &&
    accepts(JSON.parse(failure.body) as Problem);
}
