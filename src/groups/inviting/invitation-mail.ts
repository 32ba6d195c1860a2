import { renderMail, type Mail } from '../../accounts/index.js';

interface InvitationMailInput {
  /** Id of the task that sends the mail, so that a repeated attempt sends the same mail. */
  readonly id: string;
  readonly to: string;
  readonly groupName: string;
  /** Null after the inviter's account was deleted. */
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
  /** URL of the page that shows the invitation, with the secret in its fragment. */
  readonly link: string;
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Builds the mail of an invitation. The mail does not reveal whether the address has an account. */
export function buildInvitationMail({ id, to, groupName, invitedBy, expiresAt, link }: InvitationMailInput): Mail {
  const inviter = invitedBy ?? 'An owner of the group';
  return {
    id,
    to,
    subject: `${inviter} invites you to ${groupName}`,
    ...renderMail({
      preview: `${inviter} would like you to take part in ${groupName}.`,
      heading: `You are invited to ${groupName}`,
      paragraphs: [
        `${inviter} would like you to take part in ${groupName}, and to know whether you will.`,
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
