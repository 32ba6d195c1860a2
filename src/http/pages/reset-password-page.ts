import type { Page } from './page.js';
import { secretPage } from './secret-page.js';

/** Named like the input's field, which the script of the page sends. Without a longest length: a browser would cut a longer password without a word. */
const FIELDS = `<label for="new-password">New password</label>
<input id="new-password" name="newPassword" type="password" autocomplete="new-password" required>
`;

/** Sets a new password with the secret of the mailed link. */
export function resetPasswordPage(graphqlEndpoint: string): Page {
  return secretPage({
    title: 'Choose a new password',
    paragraphs: [
      'You have been sent here by a mail from Convene. Type the password that you want to have from now on and press the button.',
      'You will be signed out everywhere, and can then log in with it. If you did not ask for this, just close the page: nothing changes.',
    ],
    button: 'Set new password',
    done: 'Your new password is set, and you are signed out everywhere. You can close this page and log in.',
    mutation: 'mutation ResetPassword($input: ResetPasswordInput!) { resetPassword(input: $input) { revokedSessions } }',
    graphqlEndpoint,
    fields: FIELDS,
  });
}
