import { validateEmail, type UserReference } from '../../accounts/index.js';
import { FieldErrorCollector } from '../../errors/index.js';

/** In one request. */
export const MAX_INVITEES = 500;

/** Exactly one of the three; null counts as absent. */
export interface InviteeParams {
  readonly userId?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** How an invitee is named: as somebody who has an account, or by an address that may belong to anybody. */
export type Invitee = UserReference | { readonly email: string };

/** @throws InvalidInputError `INVALID_INPUT` for `invitees`, or naming each that is at fault as `invitees.<index>` */
export function parseInvitees(invitees: readonly InviteeParams[]): Invitee[] {
  const howManyIsRight = invitees.length >= 1 && invitees.length <= MAX_INVITEES;
  new FieldErrorCollector()
    .check('invitees', howManyIsRight ? null : `must be 1 to ${MAX_INVITEES} people`)
    .throwIfAny();
  const faults = new FieldErrorCollector();
  const checked = invitees.flatMap((input, index) => {
    const invitee = inviteeOf(input);
    faults.check(`invitees.${index}`, invitee === null ? 'must have exactly one of userId, username and email' : null);
    if (invitee !== null && 'email' in invitee) faults.check(`invitees.${index}.email`, validateEmail(invitee.email));
    return invitee ?? [];
  });
  faults.throwIfAny();
  return checked;
}

function inviteeOf({ userId = null, username = null, email = null }: InviteeParams): Invitee | null {
  const [only, ...others] = [
    ...(userId === null ? [] : [{ userId }]),
    ...(username === null ? [] : [{ username }]),
    ...(email === null ? [] : [{ email }]),
  ];
  return only === undefined || others.length > 0 ? null : only;
}
