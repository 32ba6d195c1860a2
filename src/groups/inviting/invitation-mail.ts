import { renderMail, type Mail } from '../../accounts/index.js';

export interface InvitationMailInput {
  /** Of the task that owes the mail, so that a repeat is the same mail. */
  readonly id: string;
  readonly to: string;
  readonly groupName: string;
  /** Null once the inviter's account is gone. */
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
  /** The page that shows the invitation, with the secret in its fragment. */
  readonly link: string;
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Offers a place in a group to whoever reads the mail. It does not say whether the address has an account. */
export function buildInvitationMail({ id, to, groupName, invitedBy, expiresAt, link }: InvitationMailInput): Mail {
  const who = invitedBy ?? 'Someone';
  return {
    id,
    to,
    subject: `${who} invites you to ${groupName}`,
    ...renderMail({
      preview: `${who} would like you to take part in ${groupName}.`,
      heading: `You are invited to ${groupName}`,
      paragraphs: [
        `${who} would like you to take part in ${groupName}, and to know whether you will.`,
        'Follow the link to see the invitation, and to accept or decline it. Nothing happens until you choose.',
      ],
      action: { label: 'See the invitation', link },
      notes: [
        `The invitation is open until ${DATE.format(expiresAt)} (UTC), and can be used once.`,
        'If you know nothing of this, ignore this mail.',
      ],
    }),
  };
}
