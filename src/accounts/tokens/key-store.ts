import type { KeyObject } from 'node:crypto';
import { statement } from '../../database/index.js';
import { unsealKeyPair, type KeyPair, type PublicJwk } from './key-pair.js';
import {
  canStillVerify,
  chooseSigningKey,
  isRotationDue,
  KEY_RELOAD_INTERVAL_MS,
  type KeyLifetime,
} from './key-rotation-policy.js';
import {
  ensureSigningKey,
  rotateSigningKey,
  rotateSigningKeyIfDue,
  type SigningKeyDeps,
} from './rotate-signing-key.js';

/** Tokens with unknown key ids cause at most one read per second. */
const UNKNOWN_KEY_RELOAD_DELAY_MS = 1_000;
/** SHA-256 thumbprint in base64url; other ids are rejected without a read. */
const KID = /^[A-Za-z0-9_-]{43}$/;

interface KeyRow extends KeyLifetime {
  readonly kid: string;
  readonly sealed: Buffer;
}

/** `PUBLISHED` keys do not sign yet, `SIGNING` is the current key, tokens of `RETIRED` keys are still valid. */
type KeyStatus = 'PUBLISHED' | 'SIGNING' | 'RETIRED';

/** A key as listed for operators. */
export interface SigningKeyInfo extends KeyLifetime {
  readonly kid: string;
  readonly use: KeyStatus;
}

interface LoadedKey extends KeyLifetime {
  readonly pair: KeyPair;
}

const ALL_KEYS = statement<KeyRow>(
  'signing_keys',
  `
  select kid, private_key_sealed as sealed, created_at as "createdAt", retired_at as "retiredAt"
  from signing_key order by created_at, kid`,
);

/**
 * Loads the signing keys and creates the first one when there is none.
 *
 * @throws OperatorError when a key in use was sealed with a secret that is not configured any more
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function loadKeyStore(deps: SigningKeyDeps): Promise<KeyStore> {
  await ensureSigningKey(deps);
  const store = new KeyStore(deps);
  await store.reload();
  return store;
}

/** The keys that sign and verify access tokens, in memory. */
export class KeyStore {
  readonly #deps: SigningKeyDeps;
  /** Oldest first. */
  #keys: ReadonlyMap<string, LoadedKey> = new Map();
  #reloading: Promise<void> | null = null;
  #reloadStartedAtMs = 0;

  constructor(deps: SigningKeyDeps) {
    this.#deps = deps;
  }

  /** The key that signs new tokens. */
  signingKey(): KeyPair {
    const key = chooseSigningKey([...this.#keys.values()], this.#deps.clock.now());
    if (key === undefined) throw new Error('No signing key is loaded');
    return key.pair;
  }

  /** The public key if it is loaded; null also when its last token has expired. */
  knownKey(kid: string): KeyObject | null {
    const key = this.#keys.get(kid);
    return key !== undefined && this.#canStillVerify(key) ? key.pair.publicKey : null;
  }

  /**
   * As `knownKey`, but reloads when another process may have created the key.
   *
   * @throws UnavailableError `DATABASE_UNAVAILABLE`, for a key that is not loaded
   */
  async findKey(kid: string): Promise<KeyObject | null> {
    const known = this.knownKey(kid);
    if (known !== null || !KID.test(kid)) return known;
    if (this.#reloading !== null || this.#mayReload()) await this.reload();
    return this.knownKey(kid);
  }

  /** Whether a public key that `findKey` returned is still loaded, and tokens of it can be valid. */
  isInForce(publicKey: KeyObject): boolean {
    for (const key of this.#keys.values()) if (key.pair.publicKey === publicKey) return this.#canStillVerify(key);
    return false;
  }

  /** Public keys for other services that verify our tokens (RFC 7517, section 5). */
  jwks(): { readonly keys: readonly PublicJwk[] } {
    return {
      keys: [...this.#keys.values()].filter((key) => this.#canStillVerify(key)).map(({ pair }) => pair.publicJwk),
    };
  }

  /** All keys whose tokens can be valid, oldest first. */
  list(): SigningKeyInfo[] {
    const now = this.#deps.clock.now();
    const signing = chooseSigningKey([...this.#keys.values()], now)?.pair.kid;
    return [...this.#keys]
      .filter(([, key]) => this.#canStillVerify(key))
      .map(([kid, { createdAt, retiredAt }]) => {
        const isOver = retiredAt !== null && retiredAt <= now;
        return { kid, createdAt, retiredAt, use: kid === signing ? 'SIGNING' : isOver ? 'RETIRED' : 'PUBLISHED' };
      });
  }

  /** As `rotateSigningKey`; the new key is loaded when this resolves. */
  async rotate(): Promise<string> {
    const kid = await rotateSigningKey(this.#deps);
    await this.reload();
    return kid;
  }

  /** Reloads all keys. Concurrent callers share one read. */
  reload(): Promise<void> {
    this.#reloading ??= this.#read().finally(() => {
      this.#reloading = null;
    });
    return this.#reloading;
  }

  /** Reloads all keys and rotates them when due. */
  async renew(): Promise<void> {
    await this.reload();
    if (!isRotationDue([...this.#keys.values()], this.#deps.clock.now())) return;
    await rotateSigningKeyIfDue(this.#deps);
    await this.reload();
  }

  async #read(): Promise<void> {
    this.#reloadStartedAtMs = this.#deps.clock.now().getTime();
    const rows = await this.#deps.database.query(ALL_KEYS, []);
    this.#keys = new Map(
      rows.filter((row) => this.#canStillVerify(row)).map((row) => [row.kid, this.#toLoadedKey(row)]),
    );
  }

  /** A loaded key stays the same object, because the cache of verified tokens compares it. */
  #toLoadedKey({ kid, sealed, createdAt, retiredAt }: KeyRow): LoadedKey {
    const pair = this.#keys.get(kid)?.pair ?? unsealKeyPair(this.#deps.serverSecret, kid, sealed);
    return { pair, createdAt, retiredAt };
  }

  #canStillVerify(key: KeyLifetime): boolean {
    return key.retiredAt === null || canStillVerify(key, this.#deps.clock.now(), this.#deps.accessTokenTtlMs);
  }

  /** In both directions, so that a clock that was set back does not stop the reloads. */
  #mayReload(): boolean {
    return Math.abs(this.#deps.clock.now().getTime() - this.#reloadStartedAtMs) >= UNKNOWN_KEY_RELOAD_DELAY_MS;
  }
}

/**
 * Starts reloading the keys, so that this process has a new key before it signs, and rotating them when due.
 *
 * @param onError called with each error; the loaded keys stay in use
 */
export function startKeyReload(
  store: Pick<KeyStore, 'renew'>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let latest = Promise.resolve();
  const timer = setInterval(() => {
    latest = store.renew().catch(onError);
  }, KEY_RELOAD_INTERVAL_MS);
  timer.unref();
  return {
    // Waits for a pending read, so that the database can be closed next.
    async stop() {
      clearInterval(timer);
      await latest;
    },
  };
}
