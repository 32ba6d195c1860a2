import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { OperatorError } from '../../errors/index.js';
import type { ServerSecret } from '../secrets/server-secret.js';

/** Public key as JWK (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

export interface KeyPair {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: PublicJwk;
}

const SEAL_LABEL = 'signing-key';

export function generateSigningKeyPair(): KeyPair {
  return keyPairOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

export function sealPrivateKey(secret: ServerSecret, pair: KeyPair): Buffer {
  return secret.seal(SEAL_LABEL, pair.privateKey.export({ format: 'der', type: 'pkcs8' }));
}

/**
 * @throws OperatorError when it was sealed with another server secret
 * @throws Error when the key does not have this `kid`
 */
export function unsealKeyPair(secret: ServerSecret, kid: string, sealed: Uint8Array): KeyPair {
  const pair = keyPairOf(privateKeyOf(secret, kid, sealed));
  if (pair.kid !== kid) throw new Error(`Signing key ${kid} has another thumbprint`);
  return pair;
}

function privateKeyOf(secret: ServerSecret, kid: string, sealed: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: secret.open(SEAL_LABEL, sealed), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new OperatorError(
      `Signing key ${kid} cannot be opened: SERVER_SECRET must list the secret that it was sealed under.`,
      { cause },
    );
  }
}

/**
 * Derives the public key from the sealed private key, so that write access to the table does not suffice to add a key.
 */
function keyPairOf(privateKey: KeyObject): KeyPair {
  const publicKey = createPublicKey(privateKey);
  const { x, y } = publicKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined) throw new Error('Signing key is no elliptic curve key');
  const kid = thumbprint(x, y);
  return { kid, privateKey, publicKey, publicJwk: { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' } };
}

/** RFC 7638: only the required members, in this order, without white space. */
function thumbprint(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}
