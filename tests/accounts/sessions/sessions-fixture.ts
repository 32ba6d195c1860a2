import {
  issueToken,
  refreshSession,
  registerAccount,
  type ClientInfo,
  type UserActor,
} from '../../../src/accounts/index.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { UnauthenticatedError } from '../../../src/errors/index.js';
import { createTestCore, type TestCore } from '../../support/service/test-core.js';

export const PASSWORD = 'seven quiet lanterns';
export const BROWSER: ClientInfo = { address: '192.0.2.1', userAgent: 'Firefox' };

export interface SessionsFixture extends TestCore {
  /** Registers a user; returns the id. */
  join(username: string): Promise<string>;
  logIn(username: string, client?: ClientInfo): Promise<TokenPair>;
  refresh(refreshToken: string, client?: ClientInfo): Promise<TokenPair>;
  /** The actor whose session the tokens belong to. */
  actorOf(grant: TokenPair): Promise<UserActor>;
  /** The row of the session; null when it was revoked. */
  sessionOf(
    grant: TokenPair,
  ): Promise<{ generation: number; expires_at: string; user_agent: string | null; address: string | null } | null>;
}

export async function createSessionsFixture(
  options: Parameters<typeof createTestCore>[0] = {},
): Promise<SessionsFixture> {
  const core = await createTestCore(options);
  const { accounts, database } = core;
  const actorOf = async ({ accessToken }: TokenPair): Promise<UserActor> => {
    const { sub, sid } = await accounts.accessTokens.verify(accessToken);
    return { kind: 'user', userId: sub, sessionId: sid };
  };
  return {
    ...core,
    actorOf,
    join: async (username) => {
      const { user } = await registerAccount(
        accounts,
        { username, password: PASSWORD, email: null, displayName: null },
        BROWSER,
      );
      return user.id;
    },
    logIn: (username, client = BROWSER) => issueToken(accounts, { username, password: PASSWORD }, client),
    refresh: (refreshToken, client = BROWSER) => refreshSession(accounts, refreshToken, client),
    sessionOf: async (grant) => {
      const { rows } = await database.pool.query('select * from session where id = $1', [
        (await actorOf(grant)).sessionId,
      ]);
      return rows[0] ?? null;
    },
  };
}

/** The reason of the rejection; 'none' when it succeeded. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (error instanceof UnauthenticatedError) return error.reason;
    throw error;
  }
}
