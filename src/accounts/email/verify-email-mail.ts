import { renderMail } from '../mail-templates/render-mail.js';
import type { Mail } from '../ports/mailer.js';

export interface VerifyEmailMailInput {
  /** Id of the outbox task; a retry sends the same mail. */
  readonly id: string;
  readonly to: string;
  readonly username: string;
  /** URL of the verification page with the secret in its fragment. */
  readonly link: string;
  readonly validForHours: number;
}

/**
 * Builds the mail with a verification link. It contains the username, because the owner of the address may have several
 * accounts.
 */
export function buildVerifyEmailMail({ id, to, username, link, validForHours }: VerifyEmailMailInput): Mail {
  return {
    id,
    to,
    subject: 'Confirm your email address for Convene',
    ...renderMail({
      preview: 'One click, and your address is confirmed.',
      heading: 'Confirm your email address',
      paragraphs: [
        `Hello ${username},`,
        'This address was given for your Convene account. Please confirm that it is yours: ' +
          'you can then log in with it, and invitations sent to it will find you.',
      ],
      action: { label: 'Confirm email address', link },
      notes: [
        `The link works once, for ${hours(validForHours)}.`,
        'If you know nothing of this account, ignore this mail: ' +
          'without your confirmation the address stays unconfirmed.',
      ],
    }),
  };
}

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${count} hours`;
}
