import type { ViewerView } from '../identity/account-loaders.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import type { AccessTokenService } from '../tokens/access-token-service.js';
import { signRefreshToken } from './refresh-token.js';
import type { Session } from './session.entity.js';

export interface CreateTokenPairDeps {
  readonly accessTokens: AccessTokenService;
  readonly serverSecret: ServerSecret;
}

/** Result of a login or refresh. */
export interface TokenPair {
  readonly accessToken: string;
  /** Lifetime of the access token, in seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly user: ViewerView;
}

/** Signs a new access token and the current refresh token of a session. */
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
