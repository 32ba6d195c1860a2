import { domainToASCII, domainToUnicode } from 'node:url';
import { countCharacters, normalizeText, validateStorableText } from './text-validation.js';

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const MAX_CHARACTERS = 254;

/** Dot-atom (RFC 5322, section 3.2.3): no leading, trailing or consecutive dots. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Labels of letters, digits and hyphens, of at most 63 characters (RFC 1123, section 2.1). */
const ASCII_DOMAIN = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/;

/** Characters that UTS 46 removes or decodes: the displayed domain would differ from the one that receives the mail. */
const MISLEADING =
  /(?![A-Za-z\d.-])\p{ASCII}|[\p{White_Space}\p{Surrogate}]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;
/** The URL Standard applies UTS 46 without the check of hyphens. */
const HYPHEN_AT_AN_END = /(?:^|\.)-|-(?:\.|$)/;
/** The URL Standard parses such a host as an IPv4 address. */
const ENDS_IN_NUMBER = /(?:^|\.)\d+$/;

interface AddressParts {
  readonly local: string;
  readonly domain: string;
}

/** @returns what is allowed, or null when the address is syntactically valid */
export function validateEmail(value: string): string | null {
  const text = normalizeText(value);
  if (countCharacters(text) > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters`;
  if (!isEmailAddress(text)) return 'must be an email address such as name@example.org';
  return emailKey(text).length > MAX_CHARACTERS
    ? `must be at most ${MAX_CHARACTERS} characters with its domain in ASCII`
    : null;
}

/** Whether a text of any length is an email address: an ASCII dot-atom and a domain, which may be Unicode. */
export function isEmailAddress(value: string): boolean {
  const parts = splitAddress(normalizeText(value));
  return parts !== null && LOCAL_PART.test(parts.local) && isDomain(parts.domain);
}

/** Whether an account can have the address. Some were stored before consecutive dots were rejected. */
export function mayBeStoredAddress(value: string): boolean {
  return value.includes('@') && countCharacters(value) <= MAX_CHARACTERS && validateStorableText(value) === null;
}

/**
 * Unique key of an address: lower case, with a Unicode domain as its A-labels (RFC 5890, section 2.3.2.1).
 *
 * RFC 5321 allows a case-sensitive local part, but no provider uses it.
 */
export function emailKey(value: string): string {
  const text = normalizeText(value);
  const parts = splitAddress(text);
  const domain = asciiDomain(parts?.domain ?? '');
  return parts === null || domain === '' ? text.toLowerCase() : `${parts.local.toLowerCase()}@${domain}`;
}

function splitAddress(text: string): AddressParts | null {
  const at = text.lastIndexOf('@');
  return at < 0 ? null : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

function isDomain(domain: string): boolean {
  const ascii = asciiDomain(domain);
  if (!ASCII_DOMAIN.test(ascii)) return false;
  if (isAscii(domain)) return true;
  return !MISLEADING.test(domain) && !ENDS_IN_NUMBER.test(ascii) && !HYPHEN_AT_AN_END.test(domainToUnicode(ascii));
}

/** @returns the domain in lower case and A-labels; an empty text for a Unicode domain that UTS 46 rejects */
function asciiDomain(domain: string): string {
  return isAscii(domain) ? domain.toLowerCase() : domainToASCII(domain);
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
