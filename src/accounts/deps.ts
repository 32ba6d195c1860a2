import type { Database } from '../database/index.js';
import type { ApiKeyUsageRecorder } from './api-keys/api-key-usage-recorder.js';
import type { AccountLoaders } from './identity/account-loaders.js';
import type { Clock, Mailer, PasswordHasher, WithInvitedMemberships } from './ports.js';
import type { RateLimiter } from './rate-limiting/rate-limiter.js';
import type { RevocationRegistry } from './revocation/revocation-registry.js';
import type { LinkSecretClaims } from './secrets/link-secret.js';
import type { ServerSecret } from './secrets/server-secret.js';
import type { AccessTokenService } from './tokens/access-token-service.js';

/** What the use cases of accounts are given. */
export interface AccountsDeps {
  readonly database: Database;
  readonly loaders: AccountLoaders;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  /** How often what may be done; the same for all processes. */
  readonly limits: RateLimiter;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  readonly accessTokens: AccessTokenService;
  /** When API keys were last used. */
  readonly apiKeyUsage: ApiKeyUsageRecorder;
  /** Which sessions have ended; see `revokeSessions` for ending them. */
  readonly revocations: RevocationRegistry;
  /** How long a refresh token is good when it is not used. */
  readonly refreshTokenTtlMs: number;
  /** The fewest characters of a password. */
  readonly passwordMinLength: number;
  /** Where the pages behind mailed links are served, without a slash at its end. */
  readonly frontendUrl: string;
  /** The names of the tasks that every registration owes, in the order in which they are shown. */
  readonly followUpNames: readonly string[];
  /** Whether an invitation can still be claimed; groups know. */
  readonly isOpenInvitation: (invitation: LinkSecretClaims) => Promise<boolean>;
  /** The groups in which proving an address uses up an invitation; groups know. */
  readonly withInvitedMemberships: WithInvitedMemberships;
  /** Which of these ids are no group's; groups know. */
  readonly missingGroups: (groupIds: readonly string[]) => Promise<readonly string[]>;
  /** Tells the jobs, after a commit, that tasks are due; losing the hint only delays them. */
  readonly dispatchTasks: (taskIds: readonly string[]) => void;
}
