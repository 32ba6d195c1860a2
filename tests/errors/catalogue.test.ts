import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../src/errors/index.js';

/** Clients branch on codes and reasons. Append new reasons; never remove or rename one. */
const REASONS_BY_CODE = {
  BAD_USER_INPUT: [
    'INVALID_INPUT',
    'PASSWORD_TOO_SHORT',
    'PASSWORD_TOO_LONG',
    'PASSWORD_TOO_COMMON',
    'SECRET_INVALID',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  UNAUTHENTICATED: [
    'TOKEN_MISSING',
    'TOKEN_INVALID',
    'TOKEN_EXPIRED',
    'TOKEN_REVOKED',
    'WRONG_CREDENTIALS',
    'REFRESH_INVALID',
    'REFRESH_REUSED',
  ],
  FORBIDDEN: ['NOT_YOUR_MEMBERSHIP', 'OWNER_REQUIRED', 'ADMIN_REQUIRED', 'SCOPE_REQUIRED', 'EMAIL_NOT_VERIFIED'],
  NOT_FOUND: [
    'ROUTE_NOT_FOUND',
    'GROUP_NOT_FOUND',
    'MEMBER_NOT_FOUND',
    'USER_NOT_FOUND',
    'INVITATION_NOT_FOUND',
    'SESSION_NOT_FOUND',
    'FOLLOW_UP_NOT_FOUND',
    'API_KEY_NOT_FOUND',
  ],
  CONFLICT: [
    'USERNAME_TAKEN',
    'EMAIL_TAKEN',
    'RESPONSES_CLOSED',
    'GROUP_CANCELLED',
    'LAST_OWNER',
    'SOLE_OWNER_OF_GROUPS',
    'REQUEST_IN_PROGRESS',
  ],
  PRECONDITION_FAILED: ['REVISION_CHANGED'],
  RATE_LIMITED: ['RATE_LIMITED'],
  UNAVAILABLE: ['OVERLOADED', 'DATABASE_UNAVAILABLE', 'SHUTTING_DOWN'],
  INTERNAL_SERVER_ERROR: ['INTERNAL'],
};

describe('CATALOGUE', () => {
  it('has these codes and reasons', () => {
    expect(
      Object.fromEntries(Object.values(CATALOGUE).map(({ code, reasons }) => [code, Object.keys(reasons)])),
    ).toEqual(REASONS_BY_CODE);
  });
});
