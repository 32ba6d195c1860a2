import type { Page } from '../pages/page.js';
import type { AccountPageContext } from './account-page-context.js';
import { renderMailedLinkPage } from './mailed-link-page.js';

/** Creates the page that confirms an email address with the secret of a mailed link. */
export function verifyEmailPage(context: AccountPageContext): Page {
  return renderMailedLinkPage({
    ...context,
    title: 'Confirm your email address',
    paragraphs: [
      'You have been sent here by a mail from Convene. ' +
        'Press the button to confirm that the address it came to is yours.',
      'You can then log in with it, and invitations sent to it will find you. ' +
        'If you did not ask for this, just close the page.',
    ],
    button: 'Confirm email address',
    done: 'Thank you: your email address is confirmed.',
    script: 'verify-email-page.js',
  });
}
