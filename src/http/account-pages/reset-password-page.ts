import type { Page } from '../pages/page.js';
import type { AccountPageContext } from './account-page-context.js';
import { renderMailedLinkPage, type PageForm } from './mailed-link-page.js';
import { newPasswordField } from './password-field.js';

const ADDRESS = `<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
`;

/** Form for visitors without a link, for example from a security notice about a change that they did not make. */
const REQUEST_FORM: PageForm = {
  paragraphs: [
    'Type the email address of your account, and a link with which you can choose a new password is mailed to it.',
  ],
  fields: ADDRESS,
  button: 'Mail me a link',
  done:
    'If this is the confirmed address of an account, a link is on its way to it. ' +
    'It works for a short time, so look for it now.',
};

/** Creates the page that sets a new password with the secret of a mailed link, or requests such a link. */
export function resetPasswordPage(context: AccountPageContext): Page {
  return renderMailedLinkPage({
    ...context,
    title: 'Choose a new password',
    paragraphs: [
      'You have been sent here by a mail from Convene. ' +
        'Type the password that you want to have from now on and press the button.',
      'You will be signed out everywhere, and can then log in with it. ' +
        'If you did not ask for this, just close the page: nothing changes.',
    ],
    button: 'Set new password',
    done: 'Your new password is set, and you are signed out everywhere. You can log in with it now.',
    script: 'reset-password-page.js',
    fields: newPasswordField(
      { id: 'new-password', name: 'newPassword', label: 'New password' },
      context.passwordMinLength,
    ),
    withoutSecret: REQUEST_FORM,
  });
}
