import { renderMail } from '../mail-templates/render-mail.js';
import type { Mail } from '../ports/mailer.js';

export interface VerifyEmailMailInput {
  /** Of the request that owes the mail, so that a repeat is the same mail. */
  readonly id: string;
  readonly to: string;
  readonly username: string;
  /** The page that verifies, with the secret in its fragment. */
  readonly link: string;
  readonly validForHours: number;
}

/** Asks the owner of an address to confirm that it is theirs. The username is told, as they may have several. */
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
        'This address was given for your Convene account. Please confirm that it is yours: you can then log in with it, and invitations sent to it will find you.',
      ],
      action: { label: 'Confirm email address', link },
      notes: [
        `The link works once, for ${hours(validForHours)}.`,
        'If you know nothing of this account, ignore this mail: without your confirmation the address stays unconfirmed.',
      ],
    }),
  };
}

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${count} hours`;
}
