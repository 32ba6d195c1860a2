import escapeHtml from 'escape-html';
import type { Page } from '../pages/page.js';
import { renderPage } from '../pages/render-page.js';
import { APP_PATH, type AccountPageContext } from './account-page-context.js';
import { newPasswordField, passwordField } from './password-field.js';

/** None is preselected, so that pressing Enter in the password field submits no response. */
const ANSWERS = [
  ['ACCEPTED', 'Accept'],
  ['TENTATIVE', 'Perhaps'],
  ['DECLINED', 'Decline'],
  ['PENDING', 'Answer later'],
]
  .map(
    ([value, label]) =>
      `<label class="choice"><input type="radio" name="status" value="${value}" required>${label}</label>`,
  )
  .join('\n');

const NO_SCRIPT = 'This page needs JavaScript: your browser keeps the secret in the link to itself.';

/**
 * Creates the page behind the mailed link of an invitation.
 *
 * The secret is in the URL's fragment, which browsers do not send. It reaches the service only in request bodies.
 * Opening the page reads the invitation and changes nothing, so mail scanners may open it. The heading does not invite
 * before the invitation has been read, since it may have expired.
 */
export function invitationPage(options: AccountPageContext): Page {
  const { publicUrl, graphqlPath, hasApp } = options;
  const home = escapeHtml(publicUrl.pathOf(hasApp ? APP_PATH : '/'));
  const app = hasApp ? ` data-app="${home}"` : '';
  const main = `<h1>Invitation</h1>
<p id="about"></p>
<noscript><p class="problem">${NO_SCRIPT}</p></noscript>
<div id="before" data-endpoint="${escapeHtml(publicUrl.pathOf(graphqlPath))}" data-base-path="${escapeHtml(
    publicUrl.basePath,
  )}"${app} hidden>
${formsOf(options)}
</div>
<p id="outcome" role="status" aria-live="polite" tabindex="-1"></p>
<p id="next" hidden>You can close this page, or go on to <a href="${home}">Convene</a>.</p>`;
  const script = 'invitation-page.js';
  const title = 'Invitation – Convene';
  return renderPage({ title, publicUrl, main, narrow: true, script, cacheControl: 'no-store' });
}

/** The inputs have the names of the mutations' fields. */
function formsOf({ passwordMinLength }: AccountPageContext): string {
  return `<div id="ways" class="ways">
<button type="button" aria-pressed="true" data-form="register">I am new here</button>
<button type="button" aria-pressed="false" data-form="claim">I have an account</button>
</div>
<form id="register">
<label for="new-username">Username</label>
<input id="new-username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required>
${newPasswordField({ id: 'new-password', name: 'password', label: 'Password' }, passwordMinLength)}
<label for="new-email">Email (optional)</label>
<input id="new-email" name="email" type="email" autocomplete="email">
<button type="submit">Register and take the place</button>
</form>
<form id="claim" hidden>
<fieldset id="credentials">
<legend class="unseen">Your account</legend>
<label for="claim-username">Username or email</label>
<input id="claim-username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required>
${passwordField({ id: 'claim-password', name: 'password', label: 'Password' })}
</fieldset>
<p id="logged-in" hidden>You are logged in as <strong></strong>.
<button type="button" class="plain">Use another account</button></p>
<fieldset>
<legend>Your answer</legend>
<div class="choices">
${ANSWERS}
</div>
</fieldset>
<button type="submit">Log in and answer</button>
</form>
<p class="quiet after">If you know nothing of this, just close the page: nothing happens.</p>`;
}
