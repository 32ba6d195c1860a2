const LONGEST_TEXT = 500;

/** What errors of mail servers and drivers are known to quote. */
const PRIVATE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/\/\/[^\s/@]*@/g, '//'],
  [/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…@…'],
  [/\b(secret|token|password|authorization)([=:] *)\S+/gi, '$1$2…'],
  // A token, a hash or a key: longer than an id.
  [/[A-Za-z0-9_-]{40,}={0,2}/g, '…'],
];

/**
 * What may be kept, shown and logged of an error: its message on one line, at most 500 characters, without mail
 * addresses, credentials and anything that looks like a token.
 */
export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const redacted = PRIVATE_PARTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), message);
  const oneLine = redacted.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return [...oneLine].slice(0, LONGEST_TEXT).join('') || 'It failed without a word.';
}
