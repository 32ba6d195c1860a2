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

/** What is needed to verify a password. */
export interface StoredCredential extends FoundAccount {
  readonly passwordHash: string;
  readonly disabled: boolean;
}

export interface VerifyPasswordParams<Credential extends StoredCredential> {
  /** The username or email address that the client sent. */
  readonly name: string;
  /** Whether the client is signed in to the account. */
  readonly isSignedIn?: boolean;
  readonly password: string;
  readonly client: ClientInfo;
  /** @param mac HMAC of the client's network, as in `known_address` */
  readonly find: (mac: Buffer) => Promise<Credential | null>;
}

/** No account has a longer name; the counters ignore the rest. */
const MAX_NAME_LENGTH = 254;

/**
 * Verifies a password within the limits on failed logins.
 *
 * An unknown account, a wrong password and a disabled account take the same time, give the same error and are counted
 * alike.
 *
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws RateLimitedError after too many failures; the password is not verified
 * @throws UnavailableError `OVERLOADED` when too many passwords are queued for hashing; `DATABASE_UNAVAILABLE`
 */
export async function verifyPassword<Credential extends StoredCredential>(
  { limits, hasher, serverSecret }: VerifyPasswordDeps,
  { name, isSignedIn = false, password, client, find }: VerifyPasswordParams<Credential>,
): Promise<Credential> {
  const credential = await limits.logins.attempt<Credential>({
    name: countedName(name),
    isSignedIn,
    network: toClientNetwork(client.address),
    find: () => find(networkMac(serverSecret, client)),
    verify: async (found) => {
      const matches = await hasher.verify(found?.passwordHash ?? null, normalizePassword(password));
      return matches && found?.disabled === false;
    },
  });
  if (credential === null) throw new UnauthenticatedError('WRONG_CREDENTIALS');
  return credential;
}

/** Key of the counters for failed logins; case-insensitive. */
export function countedName(name: string): string {
  return caselessKey(name.slice(0, MAX_NAME_LENGTH));
}
