import type { Database } from '../database/index.js';
import type { ApiKeyUsageRecorder } from './api-keys/api-key-usage-recorder.js';
import type { FindMissingGroups } from './api-keys/create-api-key.js';
import type { WithInvitedMemberships } from './email/invited-memberships.js';
import type { AccountLoaders } from './identity/account-loaders.js';
import type { Clock } from './ports/clock.js';
import type { DispatchTasks } from './ports/dispatch-tasks.js';
import type { Mailer } from './ports/mailer.js';
import type { PasswordHasher } from './ports/password-hasher.js';
import type { RateLimiter } from './rate-limiting/rate-limiter.js';
import type { RevocationRegistry } from './revocation/revocation-registry.js';
import type { ServerSecret } from './secrets/server-secret.js';
import type { AccessTokenService } from './tokens/access-token-service.js';

/** The dependencies of all use cases, created by the composition root. Each use case declares the part it needs. */
export interface AccountsDeps {
  readonly database: Database;
  readonly loaders: AccountLoaders;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  /** Counts across all processes. */
  readonly limits: RateLimiter;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  readonly accessTokens: AccessTokenService;
  readonly apiKeyUsage: ApiKeyUsageRecorder;
  readonly revocations: RevocationRegistry;
  /** How long a refresh token is valid when it is not used. */
  readonly refreshTokenTtlMs: number;
  /** In code points. */
  readonly passwordMinLength: number;
  /** Base URL of the pages behind mailed links, without a trailing slash. */
  readonly frontendUrl: string;
  /** Names of the tasks that every registration enqueues, in the order in which they are shown. */
  readonly followUpNames: readonly string[];
  readonly withInvitedMemberships: WithInvitedMemberships;
  readonly findMissingGroups: FindMissingGroups;
  readonly dispatchTasks: DispatchTasks;
}
