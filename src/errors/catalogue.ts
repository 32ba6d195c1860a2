/** One or two sentences each. */
export interface ReasonTexts {
  /** What is wrong. Clients get it with the error. */
  readonly message: string;
  /** What the client should do. Part of the documentation only. */
  readonly remedy: string;
}

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
      INVALID_INPUT: {
        message: 'The request has a field with a wrong or missing value.',
        remedy: 'Correct the fields that the error lists, and send the request again.',
      },
      PASSWORD_TOO_SHORT: {
        message: 'The password is too short.',
        remedy: 'Choose a longer password. The error says how long.',
      },
      PASSWORD_TOO_LONG: {
        message: 'The password is too long.',
        remedy: 'Choose a shorter password. The error says how long.',
      },
      PASSWORD_TOO_COMMON: {
        message: 'The password is too easy to guess.',
        remedy: 'Choose a password that is not on lists of common ones, and not like the username.',
      },
      SECRET_INVALID: {
        message: 'The link is not valid: it was used, replaced or has expired.',
        remedy: 'Request a new link, or look for a later mail.',
      },
      IDEMPOTENCY_KEY_REUSED: {
        message: 'The Idempotency-Key was used before with another request.',
        remedy: 'Use a new key for a new request. Repeat a request with its key only unchanged.',
      },
    },
  },
  Unauthenticated: {
    code: 'UNAUTHENTICATED',
    reasons: {
      TOKEN_MISSING: {
        message: 'A bearer token is needed.',
        remedy: 'Log in, and send the access token in the header Authorization.',
      },
      TOKEN_INVALID: {
        message: 'The token is not valid.',
        remedy: 'Log in again. Do not repeat the request with this token.',
      },
      TOKEN_EXPIRED: {
        message: 'The token has expired.',
        remedy: 'Use the refresh token to get a new access token, and repeat the request.',
      },
      TOKEN_REVOKED: {
        message: 'The token was revoked.',
        remedy: 'Log in again. The session was ended, or the password was changed.',
      },
      WRONG_CREDENTIALS: {
        message: 'The username or the password is wrong.',
        remedy: 'Let the user type both again, or reset the password. Failed logins are limited.',
      },
      REFRESH_INVALID: {
        message: 'The refresh token is not valid.',
        remedy: 'Log in again.',
      },
      REFRESH_REUSED: {
        message: 'The refresh token was used before; the session has been ended.',
        remedy: 'Log in again. Store the new refresh token of each response, and use each once.',
      },
    },
  },
  Forbidden: {
    code: 'FORBIDDEN',
    reasons: {
      NOT_YOUR_MEMBERSHIP: {
        message: 'Only the member concerned may answer an invitation.',
        remedy: 'Let the member answer with an own token.',
      },
      OWNER_REQUIRED: {
        message: 'Only an owner of the group may do this.',
        remedy: 'Ask an owner of the group to do it, or to make the caller an owner.',
      },
      ADMIN_REQUIRED: {
        message: 'Only an administrator may do this.',
        remedy: 'Ask an administrator of the service.',
      },
      SCOPE_REQUIRED: {
        message: 'The API key lacks the scope that this takes.',
        remedy: 'Ask the operator for an API key with the scope.',
      },
      EMAIL_NOT_VERIFIED: {
        message: 'This takes a verified email address.',
        remedy: 'Let the user confirm the email address by the mailed link first.',
      },
    },
  },
  NotFound: {
    code: 'NOT_FOUND',
    reasons: {
      ROUTE_NOT_FOUND: {
        message: 'There is nothing at this path.',
        remedy: 'Correct the path of the URL.',
      },
      GROUP_NOT_FOUND: {
        message: 'There is no such group.',
        remedy: 'Check the id. A group that the caller may not see looks the same as one that does not exist.',
      },
      MEMBER_NOT_FOUND: {
        message: 'The group has no such member.',
        remedy: 'Check the id of the user, and read the members again.',
      },
      USER_NOT_FOUND: {
        message: 'There is no such user.',
        remedy: 'Check the id or the username. The account may have been deleted.',
      },
      INVITATION_NOT_FOUND: {
        message: 'There is no such invitation.',
        remedy: 'Read the invitations again: it may have been answered or revoked.',
      },
      SESSION_NOT_FOUND: {
        message: 'There is no such session.',
        remedy: 'Read the sessions again: it may have ended.',
      },
      FOLLOW_UP_NOT_FOUND: {
        message: 'There is no such follow-up.',
        remedy: 'Check the name, and read the follow-ups again.',
      },
      API_KEY_NOT_FOUND: {
        message: 'There is no such API key.',
        remedy: 'Read the API keys again: it may have been revoked.',
      },
    },
  },
  Conflict: {
    code: 'CONFLICT',
    reasons: {
      USERNAME_TAKEN: {
        message: 'The username is taken.',
        remedy: 'Choose another username.',
      },
      EMAIL_TAKEN: {
        message: 'The email address belongs to another account.',
        remedy: 'Use another address, or log in to the account that has it.',
      },
      RESPONSES_CLOSED: {
        message: 'The group no longer takes responses.',
        remedy: 'Do not repeat the request. Read the group again, and show its state.',
      },
      GROUP_CANCELLED: {
        message: 'The group was cancelled.',
        remedy: 'Do not repeat the request. Read the group again, and show its state.',
      },
      LAST_OWNER: {
        message: 'A group always keeps an owner.',
        remedy: 'Make another member an owner first.',
      },
      SOLE_OWNER_OF_GROUPS: {
        message: 'The account is the only owner of groups that have other members.',
        remedy: 'Make another member of each of these groups an owner, or cancel the groups.',
      },
      REQUEST_IN_PROGRESS: {
        message: 'The same request is still under way.',
        remedy: 'Wait for a moment, and repeat the request with the same Idempotency-Key.',
      },
    },
  },
  Precondition: {
    code: 'PRECONDITION_FAILED',
    reasons: {
      REVISION_CHANGED: {
        message: 'It has changed since the revision that the request names.',
        remedy: 'Read the resource again, apply the change to it, and send its new revision.',
      },
    },
  },
  RateLimited: {
    code: 'RATE_LIMITED',
    reasons: {
      RATE_LIMITED: {
        message: 'Too many requests.',
        remedy: 'Wait for the seconds of Retry-After, and repeat the request.',
      },
    },
  },
  Unavailable: {
    code: 'UNAVAILABLE',
    reasons: {
      OVERLOADED: {
        message: 'The service is overloaded; please try again shortly.',
        remedy: 'Wait for the seconds of Retry-After, and repeat the request. Nothing has changed.',
      },
      DATABASE_UNAVAILABLE: {
        message: 'The database cannot be reached; please try again shortly.',
        remedy: 'Wait for the seconds of Retry-After, and repeat the request. Nothing has changed.',
      },
      SHUTTING_DOWN: {
        message: 'The service is shutting down; please try again shortly.',
        remedy: 'Wait for the seconds of Retry-After, and repeat the request on a new connection. Nothing has changed.',
      },
    },
  },
  Internal: {
    code: 'INTERNAL_SERVER_ERROR',
    reasons: {
      INTERNAL: {
        message: 'Something went wrong on our side.',
        remedy: 'Report the request id to the operator, whose log has the cause. Repeat only what changes nothing.',
      },
    },
  },
} as const satisfies Record<string, { code: string; reasons: Record<string, ReasonTexts> }>;

export type ErrorKind = keyof typeof CATALOGUE;
export type ErrorCode = (typeof CATALOGUE)[ErrorKind]['code'];

/** Reasons of one kind. The reason of another kind is a type error. */
export type ReasonOf<K extends ErrorKind> = keyof (typeof CATALOGUE)[K]['reasons'] & string;
export type Reason = { [K in ErrorKind]: ReasonOf<K> }[ErrorKind];
