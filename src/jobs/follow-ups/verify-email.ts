import { sendVerificationMail } from '../../accounts/index.js';
import { accountOf, type FollowUp, type FollowUpDeps } from './follow-up.js';

/** Mails the link that proves an account's address; skipped when there is no address to prove, or it has had its mails for the hour. */
export function verifyEmail(deps: FollowUpDeps): FollowUp {
  return {
    name: 'verify_email',
    owedByRegistration: true,
    run: ({ id, payload }) => sendVerificationMail(deps, { userId: accountOf(payload), mailId: id }),
  };
}
