import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const FEWEST_SECRET_BYTES = 32;
const KEY_BYTES = 32;

/** How sealed bytes begin; another layout or cipher gets another number. */
const SEAL_VERSION = Buffer.from([1]);
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_END = SEAL_VERSION.length + NONCE_BYTES;

/**
 * Makes and checks everything that rests on the server's secret, each use with a key of its own (HKDF, RFC 5869).
 *
 * Of several secrets the first makes and all verify, so that a secret is replaced without ending what it made.
 * Labels are constants in code: keys are kept by label for as long as the process runs.
 */
export class ServerSecret {
  readonly #makingKey: (info: string) => Buffer;
  readonly #keyMakers: readonly ((info: string) => Buffer)[];

  /** @throws Error when there is no secret, or one of fewer than 32 bytes */
  constructor(secrets: readonly Buffer[]) {
    const [first, ...others] = secrets;
    if (first === undefined || secrets.some(({ length }) => length < FEWEST_SECRET_BYTES)) {
      throw new Error(`A server secret has at least ${FEWEST_SECRET_BYTES} bytes`);
    }
    this.#makingKey = derivedKeys(first);
    this.#keyMakers = [this.#makingKey, ...others.map(derivedKeys)];
  }

  /** HMAC-SHA-256, 32 bytes; always the same for the same data. */
  hmac(label: string, data: string | Uint8Array): Buffer {
    return hmacOf(this.#makingKey(`hmac:${label}`), data);
  }

  /** Whether any of the secrets made it, told in a time that does not depend on where it differs. */
  verifyHmac(label: string, data: string | Uint8Array, mac: Uint8Array): boolean {
    return this.#keyMakers.some((keyFor) => {
      const right = hmacOf(keyFor(`hmac:${label}`), data);
      return mac.length === right.length && timingSafeEqual(mac, right);
    });
  }

  /** Encrypts and authenticates (AES-256-GCM): version, nonce, ciphertext, tag. Never twice the same. */
  seal(label: string, plaintext: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#makingKey(`seal:${label}`), nonce);
    return Buffer.concat([SEAL_VERSION, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws Error when none of the secrets sealed it under this label, or it was altered */
  open(label: string, sealed: Uint8Array): Buffer {
    for (const keyFor of this.#keyMakers) {
      const plaintext = openWith(keyFor(`seal:${label}`), Buffer.from(sealed));
      if (plaintext !== null) return plaintext;
    }
    throw new Error(`What was sealed as "${label}" cannot be opened with the server's secrets`);
  }
}

function derivedKeys(secret: Buffer): (info: string) => Buffer {
  const keys = new Map<string, Buffer>();
  return (info) => {
    const known = keys.get(info);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, '', `convene:${info}`, KEY_BYTES));
    keys.set(info, key);
    return key;
  };
}

function hmacOf(key: Buffer, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

function openWith(key: Buffer, sealed: Buffer): Buffer | null {
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
    // The tag does not fit: another secret, another label, or altered bytes.
    return null;
  }
}
