import { announceRegistration } from './announce-registration.js';
import { claimInvitation } from './claim-invitation.js';
import { consumeInvitation } from './consume-invitation.js';
import { eraseAccount } from './erase-account.js';
import { expireInvitation } from './expire-invitation.js';
import type { FollowUp, FollowUpDeps } from './follow-up.js';
import { mailInvitation } from './mail-invitation.js';
import { notify } from './notify.js';
import { recordDeadline } from './record-deadline.js';
import { resetPassword } from './reset-password.js';
import { verifyEmail } from './verify-email.js';

export type { FollowUp, FollowUpDeps } from './follow-up.js';

/** Every follow-up, in the order in which a registration shows its own. A new one is a file and its line here. */
export function followUps(deps: FollowUpDeps): readonly FollowUp[] {
  return [
    verifyEmail(deps),
    claimInvitation(deps),
    announceRegistration(deps),
    mailInvitation(deps),
    expireInvitation(deps),
    consumeInvitation(deps),
    recordDeadline(deps),
    resetPassword(deps),
    eraseAccount(deps),
    ...notify(deps),
  ];
}

/** The names of those that every registration queues. */
export function registrationFollowUps(all: readonly FollowUp[]): string[] {
  return all.filter(({ owedByRegistration }) => owedByRegistration).map(({ name }) => name);
}
