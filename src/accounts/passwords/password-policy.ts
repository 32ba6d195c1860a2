import { InvalidInputError, type ReasonOf } from '../../errors/index.js';
import { caselessKey } from '../input/caseless-key.js';
import { countCharacters, normalizeText, validateStorableText } from '../input/text-validation.js';
import { isCommonPassword } from './common-passwords.js';

/** Far above any passphrase; it only bounds the work that one request can cause. */
const MOST_CHARACTERS = 128;

export interface PasswordPolicyContext {
  /** The input field that a refusal names. */
  readonly field: string;
  /** Fewest characters, in code points. */
  readonly minLength: number;
  readonly username: string;
  readonly email: string | null;
}

interface Fault {
  readonly reason: ReasonOf<'InvalidInput'>;
  readonly message: string;
}

/** The password as it is hashed and compared. It is never cut, so that two long ones never count as one. */
export function normalizePassword(password: string): string {
  return normalizeText(password);
}

/**
 * Accepts a new password, or says why not. There are no composition rules (NIST SP 800-63B-4, section 3.1.1.2).
 *
 * @returns the password as it is to be hashed
 * @throws InvalidInputError `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON`, or `INVALID_INPUT` when it is no text
 */
export function requireAcceptablePassword(password: string, context: PasswordPolicyContext): string {
  const refusal = validatePassword(password, context);
  if (refusal !== null) throw refusal;
  return normalizePassword(password);
}

/** Why a new password may not be had, for inputs that have more to complain about; null when it may. */
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
  if (count > MOST_CHARACTERS)
    return { reason: 'PASSWORD_TOO_LONG', message: `must be at most ${MOST_CHARACTERS} characters` };
  return null;
}

function guessableFault(password: string, { username, email }: PasswordPolicyContext): Fault | null {
  const key = caselessKey(password);
  const isOwn = key === caselessKey(username) || (email !== null && key === caselessKey(email));
  if (!isOwn && !isCommonPassword(key)) return null;
  return { reason: 'PASSWORD_TOO_COMMON', message: 'must not be a common password, the username or the email address' };
}
