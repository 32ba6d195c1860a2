import { renderMail } from '../mail-templates/render-mail.js';
import type { Mail } from '../ports/mailer.js';

export interface ResetPasswordMailInput {
  /** Id of the outbox task; a retry sends the same mail. */
  readonly id: string;
  readonly to: string;
  readonly username: string;
  /** URL of the reset page with the secret in its fragment. */
  readonly link: string;
  readonly validForMinutes: number;
}

/** Builds the mail with a reset link. It contains the username, which the user may have forgotten. */
export function buildResetPasswordMail({ id, to, username, link, validForMinutes }: ResetPasswordMailInput): Mail {
  return {
    id,
    to,
    subject: 'Choose a new password for Convene',
    ...renderMail({
      preview: 'A new password for your Convene account.',
      heading: 'Choose a new password',
      paragraphs: [
        `Hello ${username},`,
        'A new password was requested for your Convene account. Choosing one ends all your sessions.',
      ],
      action: { label: 'Choose a new password', link },
      notes: [
        `The link works once, for ${validForMinutes} minutes from when it was asked for.`,
        'If you did not request it, ignore this mail: your password stays as it is.',
      ],
    }),
  };
}
