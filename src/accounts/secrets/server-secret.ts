import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

const MIN_SECRET_BYTES = 32;
const KEY_BYTES = 32;

/** First byte of sealed data; identifies layout and cipher. */
const SEAL_VERSION = Buffer.from([1]);
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_END = SEAL_VERSION.length + NONCE_BYTES;

/**
 * Signs, verifies and encrypts with the server's secret, with one derived key per label (HKDF, RFC 5869).
 *
 * The first of several secrets signs and seals; all verify and open. So a secret can be rotated without invalidating
 * what it signed. Derived keys are cached by label, so labels must be constants.
 */
export class ServerSecret {
  readonly #signingKey: (info: string) => KeyObject;
  readonly #keyDerivations: readonly ((info: string) => KeyObject)[];

  /** @throws Error without a secret, or for one of fewer than 32 bytes */
  constructor(secrets: readonly Buffer[]) {
    const [first, ...others] = secrets;
    if (first === undefined || secrets.some(({ length }) => length < MIN_SECRET_BYTES)) {
      throw new Error(`Server secret must have at least ${MIN_SECRET_BYTES} bytes`);
    }
    this.#signingKey = cachedKeyDerivation(first);
    this.#keyDerivations = [this.#signingKey, ...others.map(cachedKeyDerivation)];
  }

  /** HMAC-SHA-256, 32 bytes; deterministic. */
  hmac(label: string, data: string | Uint8Array): Buffer {
    return hmacOf(this.#signingKey(`hmac:${label}`), data);
  }

  /** Whether any of the secrets created the MAC. Compares in constant time. */
  verifyHmac(label: string, data: string | Uint8Array, mac: Uint8Array): boolean {
    return this.#keyDerivations.some((keyFor) => {
      const expected = hmacOf(keyFor(`hmac:${label}`), data);
      return mac.length === expected.length && timingSafeEqual(mac, expected);
    });
  }

  /** Encrypts with AES-256-GCM: version, nonce, ciphertext, tag. The nonce is random. */
  seal(label: string, plaintext: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#signingKey(`seal:${label}`), nonce);
    return Buffer.concat([SEAL_VERSION, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws Error when none of the secrets sealed the data under this label, or it was altered */
  open(label: string, sealed: Uint8Array): Buffer {
    for (const keyFor of this.#keyDerivations) {
      const plaintext = openWith(keyFor(`seal:${label}`), Buffer.from(sealed));
      if (plaintext !== null) return plaintext;
    }
    throw new Error(`Sealed data "${label}" cannot be opened with the server secrets`);
  }
}

/** Keys are objects, because Node.js takes five times as long for an HMAC with the bytes of a key. */
function cachedKeyDerivation(secret: Buffer): (info: string) => KeyObject {
  const keys = new Map<string, KeyObject>();
  return (info) => {
    const cached = keys.get(info);
    if (cached !== undefined) return cached;
    const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `convene:${info}`, KEY_BYTES)));
    keys.set(info, key);
    return key;
  };
}

function hmacOf(key: KeyObject, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

function openWith(key: KeyObject, sealed: Buffer): Buffer | null {
  if (sealed.length < NONCE_END + TAG_BYTES || !sealed.subarray(0, SEAL_VERSION.length).equals(SEAL_VERSION))
    return null;
  const nonce = sealed.subarray(SEAL_VERSION.length, NONCE_END);
  const tagStart = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(tagStart));
  const plaintext = decipher.update(sealed.subarray(NONCE_END, tagStart));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    // The authentication tag does not match: another secret, another label, or altered data.
    return null;
  }
}
