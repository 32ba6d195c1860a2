import { z } from 'zod';
import { ACCOUNT_ROLES, type AccountRole } from '../identity/account.entity.js';

/** Claims of an access token (RFC 9068, section 2.2). Rights are read from the account, never from `roles`. */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string;
  /** The account's id. */
  readonly sub: string;
  readonly client_id: string;
  /** The session's id. */
  readonly sid: string;
  readonly jti: string;
  /** Whole seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  readonly roles: readonly AccountRole[];
}

const LOWER_CASE_UUID = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const SECONDS = z.int().nonnegative();

/** Unknown claims are dropped, because a later version may add some while this one still runs. */
const CLAIMS = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: LOWER_CASE_UUID,
  client_id: z.string().min(1),
  sid: LOWER_CASE_UUID,
  jti: LOWER_CASE_UUID,
  iat: SECONDS,
  exp: SECONDS,
  roles: z.array(z.enum(ACCOUNT_ROLES)),
});

/** @returns the claims, frozen because callers share them; null when one is missing or invalid */
export function readClaims(payload: unknown): AccessTokenClaims | null {
  const { success, data } = CLAIMS.safeParse(payload);
  if (!success || data.exp <= data.iat) return null;
  return Object.freeze({ ...data, roles: Object.freeze(data.roles) });
}
