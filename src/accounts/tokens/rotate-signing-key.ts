import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, transactionOf, unnamedStatement, type Database } from '../../database/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import type { Clock } from '../ports/clock.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { generateSigningKeyPair, sealPrivateKey, type KeyPair } from './key-pair.js';
import { canStillVerify, isRotationDue, KEY_ACTIVATION_DELAY_MS } from './key-rotation-policy.js';
import { SigningKey } from './signing-key.entity.js';

export interface SigningKeyDeps {
  readonly database: Database;
  readonly serverSecret: ServerSecret;
  readonly clock: Clock;
  /** Lifetime of an access token, for which a retired key is retained. */
  readonly accessTokenTtlMs: number;
}

/** Creates a key when there is none. Processes that start concurrently share one key. */
export async function ensureSigningKey(deps: SigningKeyDeps): Promise<void> {
  const pair = generateSigningKeyPair();
  await inTransaction(deps.database, async (em) => {
    await lockKeys(em);
    if ((await em.count(SigningKey)) === 0) store(em, deps, pair, deps.clock.now());
  });
}

/**
 * Adds a key and retires the others. Deletes keys whose last token has expired.
 *
 * The new key signs after one minute, when every process has loaded it. No token is invalidated.
 *
 * @returns the id of the new key
 */
export async function rotateSigningKey(deps: SigningKeyDeps): Promise<string> {
  const pair = generateSigningKeyPair();
  await inTransaction(deps.database, async (em) => {
    await lockKeys(em);
    replace(em, deps, await em.findAll(SigningKey), pair);
  });
  return pair.kid;
}

/**
 * As `rotateSigningKey`, but only when the newest key is 90 days old. Of several concurrent processes one rotates; the
 * others find the new key under the lock.
 *
 * @returns the id of the new key; null when no rotation was due
 */
export async function rotateSigningKeyIfDue(deps: SigningKeyDeps): Promise<string | null> {
  const pair = generateSigningKeyPair();
  return inTransaction(deps.database, async (em) => {
    await lockKeys(em);
    const keys = await em.findAll(SigningKey);
    if (!isRotationDue(keys, deps.clock.now())) return null;
    replace(em, deps, keys, pair);
    return pair.kid;
  });
}

function replace(em: EntityManager, deps: SigningKeyDeps, keys: readonly SigningKey[], pair: KeyPair): void {
  const now = deps.clock.now();
  for (const key of keys) {
    if (canStillVerify(key, now, deps.accessTokenTtlMs))
      key.retiredAt ??= new Date(now.getTime() + KEY_ACTIVATION_DELAY_MS);
    else em.remove(key);
  }
  store(em, deps, pair, now);
  recordAuditEvent(
    em,
    { action: 'signing-key.rotated', actorId: null, subjectId: null, detail: { kid: pair.kid } },
    now,
  );
}

const LOCK_KEYS = unnamedStatement('lock table signing_key in share row exclusive mode');

/** `SHARE ROW EXCLUSIVE`: serializes writers until the commit without blocking readers. */
async function lockKeys(em: EntityManager): Promise<void> {
  await transactionOf(em).query(LOCK_KEYS, []);
}

function store(em: EntityManager, { serverSecret }: SigningKeyDeps, pair: KeyPair, createdAt: Date): void {
  const { kid, publicJwk } = pair;
  em.persist(
    em.create(SigningKey, { kid, publicJwk, privateKeySealed: sealPrivateKey(serverSecret, pair), createdAt }),
  );
}
