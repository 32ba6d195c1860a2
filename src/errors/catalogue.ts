/**
 * Every reason of a client error, grouped by kind.
 *
 * The list is append-only: clients branch on the reasons, so none is renamed or removed. The kind determines the `code`
 * of a response. The transports (REST, GraphQL) determine the HTTP status.
 */
export const CATALOGUE = {
  InvalidInput: {
    code: 'BAD_USER_INPUT',
    reasons: {
      INVALID_INPUT: 'The request has a field with a wrong or missing value.',
      PASSWORD_TOO_SHORT: 'The password is too short.',
      PASSWORD_TOO_LONG: 'The password is too long.',
      PASSWORD_TOO_COMMON: 'The password is too easy to guess.',
      SECRET_INVALID: 'The link is not valid: it was used, replaced or has expired.',
      IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used before with another request.',
    },
  },
  Unauthenticated: {
    code: 'UNAUTHENTICATED',
    reasons: {
      TOKEN_MISSING: 'A bearer token is needed.',
      TOKEN_INVALID: 'The token is not valid.',
      TOKEN_EXPIRED: 'The token has expired.',
      TOKEN_REVOKED: 'The token was revoked.',
      WRONG_CREDENTIALS: 'The username or the password is wrong.',
      REFRESH_INVALID: 'The refresh token is not valid.',
      REFRESH_REUSED: 'The refresh token was used before; the session has been ended.',
    },
  },
  Forbidden: {
    code: 'FORBIDDEN',
    reasons: {
      NOT_YOUR_MEMBERSHIP: 'Only the member concerned may answer an invitation.',
      OWNER_REQUIRED: 'Only an owner of the group may do this.',
      ADMIN_REQUIRED: 'Only an administrator may do this.',
      SCOPE_REQUIRED: 'The API key lacks the scope that this takes.',
      EMAIL_NOT_VERIFIED: 'This takes a verified email address.',
    },
  },
  NotFound: {
    code: 'NOT_FOUND',
    reasons: {
      ROUTE_NOT_FOUND: 'There is nothing at this path.',
      GROUP_NOT_FOUND: 'There is no such group.',
      MEMBER_NOT_FOUND: 'The group has no such member.',
      USER_NOT_FOUND: 'There is no such user.',
      INVITATION_NOT_FOUND: 'There is no such invitation.',
      SESSION_NOT_FOUND: 'There is no such session.',
      FOLLOW_UP_NOT_FOUND: 'There is no such follow-up.',
      API_KEY_NOT_FOUND: 'There is no such API key.',
    },
  },
  Conflict: {
    code: 'CONFLICT',
    reasons: {
      USERNAME_TAKEN: 'The username is taken.',
      EMAIL_TAKEN: 'The email address belongs to another account.',
      RESPONSES_CLOSED: 'The group no longer takes responses.',
      GROUP_CANCELLED: 'The group was cancelled.',
      LAST_OWNER: 'A group always keeps an owner.',
      SOLE_OWNER_OF_GROUPS: 'The account is the only owner of groups that have other members.',
      REQUEST_IN_PROGRESS: 'The same request is still under way.',
    },
  },
  Precondition: {
    code: 'PRECONDITION_FAILED',
    reasons: { REVISION_CHANGED: 'It has changed since the revision that the request names.' },
  },
  RateLimited: {
    code: 'RATE_LIMITED',
    reasons: { RATE_LIMITED: 'Too many requests.' },
  },
  Unavailable: {
    code: 'UNAVAILABLE',
    reasons: {
      OVERLOADED: 'The service is overloaded; please try again shortly.',
      DATABASE_UNAVAILABLE: 'The database cannot be reached; please try again shortly.',
      SHUTTING_DOWN: 'The service is shutting down; please try again shortly.',
    },
  },
  Internal: {
    code: 'INTERNAL_SERVER_ERROR',
    reasons: { INTERNAL: 'Something went wrong on our side.' },
  },
} as const satisfies Record<string, { code: string; reasons: Record<string, string> }>;

export type ErrorKind = keyof typeof CATALOGUE;
export type ErrorCode = (typeof CATALOGUE)[ErrorKind]['code'];

/** Reasons of one kind. The reason of another kind is a type error. */
export type ReasonOf<K extends ErrorKind> = keyof (typeof CATALOGUE)[K]['reasons'] & string;
export type Reason = { [K in ErrorKind]: ReasonOf<K> }[ErrorKind];
