import { InvalidInputError, type ReasonOf } from '../../errors/index.js';
import { caselessKey } from '../input/caseless-key.js';
import { countCharacters, normalizeText, validateStorableText } from '../input/text-validation.js';
import { isCommonPassword } from './common-passwords.js';

/** Far longer than any passphrase; only bounds the work of one request. */
const MAX_CHARACTERS = 128;

export interface PasswordPolicyContext {
  /** The input field that an error names. */
  readonly field: string;
  /** In code points. */
  readonly minLength: number;
  readonly username: string;
  readonly email: string | null;
}

interface Fault {
  readonly reason: ReasonOf<'InvalidInput'>;
  readonly message: string;
}

/** The password as hashed and compared. It is never truncated, so that two long passwords stay different. */
export function normalizePassword(password: string): string {
  return normalizeText(password);
}

/**
 * Requires an acceptable new password. There are no composition rules (NIST SP 800-63B-4, section 3.1.1.2).
 *
 * @returns the normalized password
 * @throws InvalidInputError `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON`, or `INVALID_INPUT` for
 *   text that is not well-formed
 */
export function requireAcceptablePassword(password: string, context: PasswordPolicyContext): string {
  const problem = validatePassword(password, context);
  if (problem !== null) throw problem;
  return normalizePassword(password);
}

/** @returns the error, for a caller that collects several; null for an acceptable password */
export function validatePassword(password: string, context: PasswordPolicyContext): InvalidInputError | null {
  const candidate = normalizePassword(password);
  const fault = textFault(candidate) ?? lengthFault(candidate, context.minLength) ?? guessableFault(candidate, context);
  return fault === null
    ? null
    : new InvalidInputError([{ field: context.field, message: fault.message }], fault.reason);
}

function textFault(password: string): Fault | null {
  const message = validateStorableText(password);
  return message === null ? null : { reason: 'INVALID_INPUT', message };
}

function lengthFault(password: string, minLength: number): Fault | null {
  const count = countCharacters(password);
  if (count < minLength) return { reason: 'PASSWORD_TOO_SHORT', message: `must be at least ${minLength} characters` };
  if (count > MAX_CHARACTERS)
    return { reason: 'PASSWORD_TOO_LONG', message: `must be at most ${MAX_CHARACTERS} characters` };
  return null;
}

function guessableFault(password: string, { username, email }: PasswordPolicyContext): Fault | null {
  const key = caselessKey(password);
  const isOwnName = key === caselessKey(username) || (email !== null && key === caselessKey(email));
  if (!isOwnName && !isCommonPassword(key)) return null;
  return { reason: 'PASSWORD_TOO_COMMON', message: 'must not be a common password, the username or the email address' };
}
