import { renderMail } from '../mail-templates/render-mail.js';
import type { Mail } from '../ports/mailer.js';
import type { SecurityNotice } from './security-notices.js';

export interface SecurityNoticeMailInput {
  /** Id of the outbox task; a retry sends the same mail. */
  readonly id: string;
  readonly to: string;
  readonly username: string;
  readonly notice: SecurityNotice;
  /** When the event happened. */
  readonly at: Date;
  /** Base URL of the pages, without a trailing slash. */
  readonly frontendUrl: string;
}

interface Wording {
  readonly subject: string;
  /** Completes a sentence that begins with the time. */
  readonly event: string;
  readonly advice: string;
  readonly help: 'reset' | 'login';
}

const IF_YOU = 'If it was you, there is nothing to do. If it was not,';
const RESETTING =
  'choose a new password immediately, by a link that is mailed to this address. That ends all sessions.';
const LOGGING_IN =
  `${IF_YOU} log in with your username and change your password immediately, which ends all other sessions. ` +
  'Then set your address again. If you can no longer log in, turn to the operator of this service.';
const GONE = 'It no longer logs you in, and mails about the account no longer come here.';

/** Contains no text that an attacker can choose: neither the new address nor the user agent. */
const WORDINGS: Readonly<Record<SecurityNotice, Wording>> = {
  notify_password_changed: {
    subject: 'Your Convene password was changed',
    event:
      'the password of your account was changed by a user who was logged in and knew it. ' +
      'All other sessions were ended.',
    advice: `${IF_YOU} ${RESETTING}`,
    help: 'reset',
  },
  notify_password_reset: {
    subject: 'Your Convene password was reset',
    event:
      'a new password was set for your account, with a link that was mailed to this address. All sessions were ended.',
    advice: `${IF_YOU} another person reads your mail: secure your mailbox first, and then ${RESETTING}`,
    help: 'reset',
  },
  notify_email_replaced: {
    subject: 'Your Convene email address was replaced',
    event: `another email address took the place of this one in your account. ${GONE}`,
    advice: LOGGING_IN,
    help: 'login',
  },
  notify_email_removed: {
    subject: 'Your email address was removed from Convene',
    event: `this email address was removed from your account. ${GONE}`,
    advice: LOGGING_IN,
    help: 'login',
  },
  notify_session_stolen: {
    subject: 'One of your Convene sessions was ended',
    event: 'a session of your account was continued from two copies of it, and was ended.',
    advice:
      'A program that lost its connection can be the reason, or a person who has copied the session. ' +
      `If you cannot explain it, ${RESETTING}`,
    help: 'reset',
  },
};

/** Link that the mail offers. It contains no secret, so the mail is of no use to other readers. */
const HELP: Readonly<Record<Wording['help'], { readonly label: string; readonly path: string }>> = {
  reset: { label: 'Choose a new password', path: '/reset-password' },
  login: { label: 'Go to Convene', path: '/' },
};

const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/**
 * Builds the mail that informs the owner of an account, at an address that was theirs, of a security event: what
 * event, when, and what to do if it was not them.
 */
export function buildSecurityNoticeMail({ id, to, username, notice, at, frontendUrl }: SecurityNoticeMailInput): Mail {
  const { subject, event, advice, help } = WORDINGS[notice];
  const { label, path } = HELP[help];
  return {
    id,
    to,
    subject,
    ...renderMail({
      preview: 'If it was not you, there is something to do.',
      heading: subject,
      paragraphs: [`Hello ${username},`, `On ${TIME_FORMAT.format(at)} (UTC) ${event}`, advice],
      action: { label, link: `${frontendUrl}${path}` },
      notes: ['This mail is sent so that this cannot happen without your knowledge.'],
    }),
  };
}
