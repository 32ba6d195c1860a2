import { validateEmail, type UserReference } from '../../accounts/index.js';
import { FieldErrorCollector } from '../../errors/index.js';

/** Invitees per request. */
export const MAX_INVITEES = 500;

/** Exactly one of the three; null counts as absent. */
export interface InviteeParams {
  readonly userId?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** A user, or an email address. */
export type Invitee = UserReference | { readonly email: string };

/**
 * Validates and parses invitees.
 *
 * @throws InvalidInputError `INVALID_INPUT` for `invitees`, or with each invalid one as `invitees.<index>`
 */
export function parseInvitees(invitees: readonly InviteeParams[]): Invitee[] {
  const isCountAllowed = invitees.length >= 1 && invitees.length <= MAX_INVITEES;
  new FieldErrorCollector()
    .check('invitees', isCountAllowed ? null : `must be 1 to ${MAX_INVITEES} people`)
    .throwIfAny();
  const errors = new FieldErrorCollector();
  const parsed = invitees.flatMap((params, index) => {
    const invitee = toInvitee(params);
    errors.check(`invitees.${index}`, invitee === null ? 'must have exactly one of userId, username and email' : null);
    if (invitee !== null && 'email' in invitee) errors.check(`invitees.${index}.email`, validateEmail(invitee.email));
    return invitee ?? [];
  });
  errors.throwIfAny();
  return parsed;
}

/** @returns null unless exactly one property is given */
function toInvitee({ userId = null, username = null, email = null }: InviteeParams): Invitee | null {
  const [only, ...others] = [
    ...(userId === null ? [] : [{ userId }]),
    ...(username === null ? [] : [{ username }]),
    ...(email === null ? [] : [{ email }]),
  ];
  return only === undefined || others.length > 0 ? null : only;
}
