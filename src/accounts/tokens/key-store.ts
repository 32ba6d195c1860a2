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

/** Tokens with made-up key ids cause one read a second at most, however many come. */
const UNKNOWN_KEY_PAUSE_MS = 1_000;
/** A SHA-256 thumbprint in base64url: nothing else is worth a read. */
const KID = /^[A-Za-z0-9_-]{43}$/;

interface KeyRow extends KeyLifetime {
  readonly kid: string;
  readonly sealed: Buffer;
}

/** `PUBLISHED` will sign, `SIGNING` does, and what was signed by a `RETIRED` one is still good. */
export type KeyStatus = 'PUBLISHED' | 'SIGNING' | 'RETIRED';

/** A key as people see it. */
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
 * Opens the signing keys, making the first one where there is none.
 *
 * @throws Error when a key in use was sealed under a secret that the server no longer has
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
  #reloadBegunAtMs = 0;

  constructor(deps: SigningKeyDeps) {
    this.#deps = deps;
  }

  /** The key that new tokens are signed with. */
  signingKey(): KeyPair {
    const key = chooseSigningKey([...this.#keys.values()], this.#deps.clock.now());
    if (key === undefined) throw new Error('There is no signing key; the service makes one when it starts');
    return key.pair;
  }

  /** The public key of that id, as far as this process knows it; null also once its last token has expired. */
  knownKey(kid: string): KeyObject | null {
    const key = this.#keys.get(kid);
    return key !== undefined && this.#isAlive(key) ? key.pair.publicKey : null;
  }

  /**
   * As `knownKey`, but looks into the database for a key that another process has made since.
   *
   * @throws UnavailableError `DATABASE_UNAVAILABLE`, for an unknown key only
   */
  async findKey(kid: string): Promise<KeyObject | null> {
    const known = this.knownKey(kid);
    if (known !== null || !KID.test(kid)) return known;
    if (this.#reloading !== null || this.#mayLookAgain()) await this.reload();
    return this.knownKey(kid);
  }

  /** What strangers verify our tokens with (RFC 7517, section 5). */
  jwks(): { readonly keys: readonly PublicJwk[] } {
    return { keys: [...this.#keys.values()].filter((key) => this.#isAlive(key)).map(({ pair }) => pair.publicJwk) };
  }

  /** Every key whose tokens can be valid, oldest first. */
  list(): SigningKeyInfo[] {
    const now = this.#deps.clock.now();
    const signing = chooseSigningKey([...this.#keys.values()], now)?.pair.kid;
    return [...this.#keys]
      .filter(([, key]) => this.#isAlive(key))
      .map(([kid, { createdAt, retiredAt }]) => {
        const isOver = retiredAt !== null && retiredAt <= now;
        return { kid, createdAt, retiredAt, use: kid === signing ? 'SIGNING' : isOver ? 'RETIRED' : 'PUBLISHED' };
      });
  }

  /** As `rotateSigningKey`; the new key is known here when this resolves. */
  async rotate(): Promise<string> {
    const kid = await rotateSigningKey(this.#deps);
    await this.reload();
    return kid;
  }

  /** Reads all keys anew; callers at the same moment share one read. */
  reload(): Promise<void> {
    this.#reloading ??= this.#read().finally(() => {
      this.#reloading = null;
    });
    return this.#reloading;
  }

  /** Reads all keys anew, and adds one when the newest has served its time. */
  async renew(): Promise<void> {
    await this.reload();
    if (!isRotationDue([...this.#keys.values()], this.#deps.clock.now())) return;
    await rotateSigningKeyIfDue(this.#deps);
    await this.reload();
  }

  async #read(): Promise<void> {
    this.#reloadBegunAtMs = this.#deps.clock.now().getTime();
    const rows = await this.#deps.database.query(ALL_KEYS, []);
    this.#keys = new Map(rows.filter((row) => this.#isAlive(row)).map((row) => [row.kid, this.#opened(row)]));
  }

  /** A key that is known stays the same object: verified tokens are remembered with it. */
  #opened({ kid, sealed, createdAt, retiredAt }: KeyRow): LoadedKey {
    const pair = this.#keys.get(kid)?.pair ?? unsealKeyPair(this.#deps.serverSecret, kid, sealed);
    return { pair, createdAt, retiredAt };
  }

  #isAlive(key: KeyLifetime): boolean {
    return canStillVerify(key, this.#deps.clock.now(), this.#deps.accessTokenTtlMs);
  }

  /** In either direction, so that a clock that was set back does not end the look-ups. */
  #mayLookAgain(): boolean {
    return Math.abs(this.#deps.clock.now().getTime() - this.#reloadBegunAtMs) >= UNKNOWN_KEY_PAUSE_MS;
  }
}

/**
 * Keeps the keys up to date, so that a rotation reaches this process before the new key signs, and rotates them in time.
 *
 * @param onError hears of every failure; the keys at hand stay in use meanwhile
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
    // Waits for a read under way, so that the database can be closed next.
    async stop() {
      clearInterval(timer);
      await latest;
    },
  };
}
