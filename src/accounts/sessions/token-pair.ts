import type { ViewerView } from '../identity/account-loaders.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import type { AccessTokenService } from '../tokens/access-token-service.js';
import { signRefreshToken } from './refresh-token.js';
import type { Session } from './session.entity.js';

export interface CreateTokenPairDeps {
  readonly accessTokens: AccessTokenService;
  readonly serverSecret: ServerSecret;
}

/** What a login or a refresh gives. */
export interface TokenPair {
  readonly accessToken: string;
  /** Seconds for which the access token is valid. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly user: ViewerView;
}

/** A fresh access token, and the session's current refresh token. */
export function createTokenPair(
  { accessTokens, serverSecret }: CreateTokenPairDeps,
  { id: sessionId, generation, expiresAt }: Pick<Session, 'id' | 'generation' | 'expiresAt'>,
  user: ViewerView,
): TokenPair {
  return {
    ...accessTokens.sign({ userId: user.id, sessionId, sessionExpiresAt: expiresAt, roles: user.roles }),
    refreshToken: signRefreshToken(serverSecret, { sessionId, generation }),
    user,
  };
}
