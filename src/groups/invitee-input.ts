import type { UserReference } from '../accounts/index.js';
import { InvalidFields } from '../errors/index.js';

const MOST_INVITEES = 500;

/** Exactly one of the two; null counts as absent. */
export interface InviteeInput {
  readonly userId?: string | null | undefined;
  readonly username?: string | null | undefined;
}

/** @throws InvalidInputError `INVALID_INPUT` for `invitees`, or naming each that is at fault as `invitees.<index>` */
export function checkInvitees(invitees: readonly InviteeInput[]): UserReference[] {
  const howManyIsRight = invitees.length >= 1 && invitees.length <= MOST_INVITEES;
  new InvalidFields().check('invitees', howManyIsRight ? null : `must be 1 to ${MOST_INVITEES} people`).throwIfAny();
  const faults = new InvalidFields();
  const references = invitees.flatMap((invitee, index) => {
    const reference = referenceOf(invitee);
    faults.check(`invitees.${index}`, reference === null ? 'must have exactly one of userId and username' : null);
    return reference ?? [];
  });
  faults.throwIfAny();
  return references;
}

function referenceOf({ userId = null, username = null }: InviteeInput): UserReference | null {
  if (userId !== null && username === null) return { userId };
  if (username !== null && userId === null) return { username };
  return null;
}
