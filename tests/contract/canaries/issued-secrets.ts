import { encodingsOf, excerptOf } from './marks.js';

/** Number of characters of each secret to search for. Every part of a secret with at least 23 characters is found. */
const PIECE = 16;
const STEP = 8;

const PREFIX = /^cv[nr]_/;
/** The part of an API key that is stored and displayed. */
const SHOWN_OF_KEY = 6;
/** Base64url of the id and the number of a refresh token or a link. The HMAC follows. */
const CLAIM = 28;
const CLAIM_BYTES = 21;
const COUNTER_TOKEN = 70;

/** The tokens, keys and links that the service has issued, and where they occur again. */
export class IssuedSecrets {
  readonly #pieces = new Map<string, string>();
  readonly #known = new Set<string>();

  add(kind: string, value: string): void {
    if (this.#known.has(value)) return;
    this.#known.add(value);
    for (const secret of secretPartsOf(value)) {
      for (const encoded of [
        secret.text,
        ...encodingsOf(secret.text),
        secret.bytes.toString('hex'),
        secret.bytes.toString('base64'),
      ])
        this.#addPieces(kind, encoded);
    }
  }

  get count(): number {
    return this.#known.size;
  }

  /** Searches in one pass, for any number of secrets. */
  findIn(text: string): string[] {
    const found: string[] = [];
    for (let at = 0; at + PIECE <= text.length; at += 1) {
      const kind = this.#pieces.get(text.slice(at, at + PIECE));
      if (kind !== undefined && found.length < 3) found.push(`${kind}: ${excerptOf(text, at)}`);
    }
    return found;
  }

  #addPieces(kind: string, encoded: string): void {
    for (let at = 0; at + PIECE <= encoded.length; at += STEP) this.#pieces.set(encoded.slice(at, at + PIECE), kind);
  }
}

interface SecretPart {
  readonly text: string;
  readonly bytes: Buffer;
}

/** Removes public parts: the header of an access token, the id in a refresh token or a link, the prefix of a key. */
function secretPartsOf(value: string): SecretPart[] {
  const body = value.replace(PREFIX, '');
  const [, ...signed] = body.split('.');
  if (signed.length > 0) return signed.map((part) => ({ text: part, bytes: Buffer.from(part, 'base64url') }));
  if (body.length === COUNTER_TOKEN)
    return [{ text: body.slice(CLAIM), bytes: Buffer.from(body, 'base64url').subarray(CLAIM_BYTES) }];
  return [{ text: body.slice(SHOWN_OF_KEY), bytes: Buffer.from(body, 'base64url') }];
}
