import { UnauthenticatedError } from '../../errors/index.js';
import { caselessKey } from '../input/caseless-key.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import { toClientNetwork } from '../rate-limiting/client-network.js';
import { networkMac } from '../rate-limiting/known-networks.js';
import type { FoundAccount } from '../rate-limiting/login-throttle.js';
import type { RateLimiter } from '../rate-limiting/rate-limiter.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { normalizePassword } from './password-policy.js';

export interface VerifyPasswordDeps {
  readonly limits: RateLimiter;
  readonly hasher: PasswordHasher;
  readonly serverSecret: ServerSecret;
}

/** Whose password is asked for, as far as telling takes it. */
export interface StoredCredential extends FoundAccount {
  readonly passwordHash: string;
  readonly disabled: boolean;
}

export interface VerifyPasswordParams<Holder extends StoredCredential> {
  /** What the client calls the account. */
  readonly name: string;
  /** Whether the client is signed in to the account. */
  readonly isSignedIn?: boolean;
  readonly password: string;
  readonly client: ClientInfo;
  /** @param mac stands for the client's network in `known_address` */
  readonly find: (mac: Buffer) => Promise<Holder | null>;
}

/** No account has a longer name; the rest makes no difference to the counting. */
const LONGEST_NAME = 254;

/**
 * Tells whether a password is its account's, within the limits on failed logins.
 *
 * An unknown account, a wrong password and a disabled account take the same time and get the same answer; and the
 * limits count them alike.
 *
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws RateLimitedError after too many failures, without a look at the password
 * @throws UnavailableError `OVERLOADED` when too many passwords wait to be hashed; `DATABASE_UNAVAILABLE`
 */
export async function verifyPassword<Holder extends StoredCredential>(
  { limits, hasher, serverSecret }: VerifyPasswordDeps,
  { name, isSignedIn = false, password, client, find }: VerifyPasswordParams<Holder>,
): Promise<Holder> {
  const holder = await limits.logins.attempt<Holder>({
    name: countedName(name),
    isSignedIn,
    network: toClientNetwork(client.address),
    find: () => find(networkMac(serverSecret, client)),
    verify: async (found) => {
      const matches = await hasher.verify(found?.passwordHash ?? null, normalizePassword(password));
      return matches && found?.disabled === false;
    },
  });
  if (holder === null) throw new UnauthenticatedError('WRONG_CREDENTIALS');
  return holder;
}

/** What failed logins are counted for: all spellings of a name together. */
export function countedName(name: string): string {
  return caselessKey(name.slice(0, LONGEST_NAME));
}
