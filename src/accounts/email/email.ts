import { normalizeText } from '../text.js';

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const MOST_CHARACTERS = 254;

/** The HTML Standard's "valid e-mail address", which the GraphQL scalar EmailAddress accepts as well. */
const ADDRESS =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** @returns what is allowed, or null when mail can be sent to the address as far as its spelling tells */
export function emailProblem(value: string): string | null {
  if (value.length > MOST_CHARACTERS) return `must be at most ${MOST_CHARACTERS} characters`;
  return ADDRESS.test(value) ? null : 'must be an email address such as name@example.org';
}

/** What makes a verified address unique. The part before the "@" could mind its case by RFC 5321; no provider's does. */
export function emailKey(value: string): string {
  return normalizeText(value).toLowerCase();
}
