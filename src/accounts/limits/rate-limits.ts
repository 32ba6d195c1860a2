import type { Database } from '../../database/index.js';
import type { RatePolicy } from '../../errors/index.js';
import type { ServerSecret } from '../server-secret.js';
import { Counters } from './counters.js';
import { LoginLimits } from './login-limits.js';

/** So much within so long. */
export interface Quota {
  readonly quota: number;
  readonly windowSeconds: number;
}

export interface Quotas {
  /** Failed logins for one name from one address. */
  readonly login: Quota;
  /** Failed logins from one address. */
  readonly loginAddress: Quota;
  /** Failed logins for one name, from addresses that its account does not know. */
  readonly loginName: Quota;
  readonly register: Quota;
  /** Password resets asked for from one address. */
  readonly resetAddress: Quota;
  /** Password resets mailed to one address. */
  readonly resetMail: Quota;
  /** Verification links mailed to one address, for registrations and on request. */
  readonly verificationMail: Quota;
}

/** What is counted when it is asked for, whatever comes of it. */
export type CountedUse = Exclude<keyof Quotas, 'login' | 'loginAddress' | 'loginName'>;

export interface RateLimits {
  readonly logins: Pick<LoginLimits, 'attempt' | 'forgive'>;
  /**
   * Counts one use by a network or for an email address.
   *
   * @throws RateLimitedError
   * @throws UnavailableError `DATABASE_UNAVAILABLE` when it cannot be counted
   */
  take(use: CountedUse, subject: string): Promise<void>;
}

/** What clients are told that a limit is called. */
const NAMES: Readonly<Record<keyof Quotas, string>> = {
  login: 'login',
  loginAddress: 'login-address',
  loginName: 'login-name',
  register: 'register',
  resetAddress: 'reset-address',
  resetMail: 'reset-mail',
  verificationMail: 'verification-mail',
};

/** Limits that hold for all processes together. */
export function sharedRateLimits(
  { database, serverSecret }: { readonly database: Database; readonly serverSecret: ServerSecret },
  quotas: Quotas,
): RateLimits {
  const counters = new Counters({ database, serverSecret });
  const policy = (name: keyof Quotas): RatePolicy => ({ name: NAMES[name], ...quotas[name] });
  return {
    logins: new LoginLimits(counters, { pair: policy('login'), address: policy('loginAddress'), name: policy('loginName') }),
    take: (use, subject) => counters.take({ policy: policy(use), subject }),
  };
}

/** Nothing is counted and nothing refused. */
export const NO_RATE_LIMITS: RateLimits = {
  logins: {
    attempt: async ({ find, verify }) => {
      const found = await find();
      return (await verify(found)) ? found : null;
    },
    forgive: () => Promise.resolve(),
  },
  take: () => Promise.resolve(),
};
