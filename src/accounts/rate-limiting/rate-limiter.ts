import type { Database } from '../../database/index.js';
import type { RateLimitPolicy } from '../../errors/index.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { LoginThrottle } from './login-throttle.js';
import { RateLimitCounters } from './rate-limit-counters.js';

/** Maximum number of uses in a window. */
export interface RateLimit {
  readonly quota: number;
  readonly windowSeconds: number;
}

export interface RateLimitConfig {
  /** Failed logins for one name from one network. */
  readonly login: RateLimit;
  /** Failed logins from one network. */
  readonly loginAddress: RateLimit;
  /** Failed logins for one name, from networks that its account does not know. */
  readonly loginName: RateLimit;
  readonly register: RateLimit;
  /** Password resets requested from one network. */
  readonly resetAddress: RateLimit;
  /** Password resets mailed to one address. */
  readonly resetMail: RateLimit;
  /** Verification links mailed to one address, for registrations and on request. */
  readonly verificationMail: RateLimit;
}

/** Actions that are counted before they run, whatever their outcome. */
type RateLimitedAction = Exclude<keyof RateLimitConfig, 'login' | 'loginAddress' | 'loginName'>;

export interface RateLimiter {
  readonly logins: Pick<LoginThrottle, 'attempt' | 'clearFailures'>;
  /**
   * Counts one use by a network or for an email address.
   *
   * @throws RateLimitedError
   * @throws UnavailableError `DATABASE_UNAVAILABLE` when it cannot be counted
   */
  take(action: RateLimitedAction, subject: string): Promise<void>;
}

/** Names of the policies in responses. */
const NAMES: Readonly<Record<keyof RateLimitConfig, string>> = {
  login: 'login',
  loginAddress: 'login-address',
  loginName: 'login-name',
  register: 'register',
  resetAddress: 'reset-address',
  resetMail: 'reset-mail',
  verificationMail: 'verification-mail',
};

/** Creates a rate limiter whose limits hold across all processes. */
export function createRateLimiter(
  { database, serverSecret }: { readonly database: Database; readonly serverSecret: ServerSecret },
  quotas: RateLimitConfig,
): RateLimiter {
  const counters = new RateLimitCounters({ database, serverSecret });
  const policy = (name: keyof RateLimitConfig): RateLimitPolicy => ({ name: NAMES[name], ...quotas[name] });
  return {
    logins: new LoginThrottle(counters, {
      pair: policy('login'),
      address: policy('loginAddress'),
      name: policy('loginName'),
    }),
    take: (action, subject) => counters.consume({ policy: policy(action), subject }),
  };
}

/** Counts and rejects nothing. */
export const UNLIMITED: RateLimiter = {
  logins: {
    attempt: async ({ find, verify }) => {
      const found = await find();
      return (await verify(found)) ? found : null;
    },
    clearFailures: () => Promise.resolve(),
  },
  take: () => Promise.resolve(),
};
