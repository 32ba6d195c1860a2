import { renderMail } from '../mail-templates/render-mail.js';
import type { Mail } from '../ports/mailer.js';
import type { SecurityNotice } from './security-notices.js';

export interface SecurityNoticeMailInput {
  /** Of the task that owes the mail, so that a repeat is the same mail. */
  readonly id: string;
  readonly to: string;
  readonly username: string;
  readonly notice: SecurityNotice;
  /** When it happened. */
  readonly at: Date;
  /** Where the service's pages are, without a slash at its end. */
  readonly frontendUrl: string;
}

interface Wording {
  readonly subject: string;
  /** Follows the moment. */
  readonly happened: string;
  readonly advice: string;
  readonly helps: 'reset' | 'login';
}

const IF_YOU = 'If it was you, there is nothing to do. If it was not,';
const RESETTING =
  'choose a new password at once, by a link that is mailed to this address. That signs out everybody, whoever they are.';
const LOGGING_IN = `${IF_YOU} log in with your username and change your password at once, which signs out everybody else; then set your address again. \
If you cannot log in any more, turn to whoever runs this service.`;
const GONE = 'It no longer logs you in, and mails about the account no longer come here.';

/** What somebody might have typed who should not have is in none of them: neither the new address, nor what a client calls itself. */
const WORDINGS: Readonly<Record<SecurityNotice, Wording>> = {
  notify_password_changed: {
    subject: 'Your Convene password was changed',
    happened:
      'the password of your account was changed by somebody who was signed in and knew it. Everybody else was signed out.',
    advice: `${IF_YOU} ${RESETTING}`,
    helps: 'reset',
  },
  notify_password_reset: {
    subject: 'Your Convene password was reset',
    happened:
      'a new password was set for your account, with a link that was mailed to this address. Everybody was signed out.',
    advice: `${IF_YOU} somebody else reads your mail: first see to that, and then ${RESETTING}`,
    helps: 'reset',
  },
  notify_email_replaced: {
    subject: 'Your Convene email address was replaced',
    happened: `another email address took the place of this one in your account. ${GONE}`,
    advice: LOGGING_IN,
    helps: 'login',
  },
  notify_email_removed: {
    subject: 'Your email address was removed from Convene',
    happened: `this email address was removed from your account. ${GONE}`,
    advice: LOGGING_IN,
    helps: 'login',
  },
  notify_session_stolen: {
    subject: 'One of your Convene sign-ins was ended',
    happened: 'a sign-in to your account was continued from two copies of it, and was ended.',
    advice: `A program that lost its connection can be the reason, or somebody who has copied the sign-in. If you cannot explain it, ${RESETTING}`,
    helps: 'reset',
  },
};

/** Which way out the mail offers; no link in it holds a secret, so it is worth nothing to anybody else who reads it. */
const HELP: Readonly<Record<Wording['helps'], { readonly label: string; readonly path: string }>> = {
  reset: { label: 'Choose a new password', path: '/reset-password' },
  login: { label: 'Go to Convene', path: '/' },
};

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Tells the owner of an account, at an address that was theirs, what happened to it, when, and what to do if it was not them. */
export function buildSecurityNoticeMail({ id, to, username, notice, at, frontendUrl }: SecurityNoticeMailInput): Mail {
  const { subject, happened, advice, helps } = WORDINGS[notice];
  const { label, path } = HELP[helps];
  return {
    id,
    to,
    subject,
    ...renderMail({
      preview: 'If it was not you, there is something to do.',
      heading: subject,
      paragraphs: [`Hello ${username},`, `On ${MOMENT.format(at)} (UTC) ${happened}`, advice],
      action: { label, link: `${frontendUrl}${path}` },
      notes: ['This mail is sent so that nobody can do this without your hearing of it.'],
    }),
  };
}
