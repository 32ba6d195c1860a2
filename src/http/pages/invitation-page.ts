import escapeHtml from 'escape-html';
import type { Page, PageContext } from './page.js';
import { renderPage } from './render-page.js';

/** None is preselected, so that pressing Enter in the password field submits no response. */
const ANSWERS = [
  ['ACCEPTED', 'Accept'],
  ['TENTATIVE', 'Perhaps'],
  ['DECLINED', 'Decline'],
  ['PENDING', 'Take the place, answer later'],
]
  .map(
    ([value, label]) =>
      `<label class="choice"><input type="radio" name="status" value="${value}" required>${label}</label>`,
  )
  .join('\n');

/**
 * The inputs have the names of the mutations' fields, and no `maxlength`, because a browser would truncate a longer
 * password silently.
 */
const FORMS = `<h2>I have an account</h2>
<form id="claim">
<fieldset>
<legend>Your answer</legend>
${ANSWERS}
</fieldset>
<label for="claim-username">Username or email</label>
<input id="claim-username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="claim-password">Password</label>
<input id="claim-password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Log in and answer</button>
</form>
<h2>I am new here</h2>
<form id="register">
<label for="new-username">Username</label>
<input id="new-username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="new-password">Password</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" required>
<label for="new-email">Email (optional)</label>
<input id="new-email" name="email" type="email" autocomplete="email">
<button type="submit">Register and take the place</button>
</form>
<p class="quiet after">If you know nothing of this, just close the page: nothing happens.</p>`;

const NO_SCRIPT = 'This page needs JavaScript: your browser keeps the secret in the link to itself.';

/**
 * Creates the page behind the mailed link of an invitation.
 *
 * The secret is in the URL's fragment, which browsers do not send. It reaches the service only in request bodies.
 * Opening the page reads the invitation and changes nothing, so mail scanners may open it.
 */
export function invitationPage({ publicUrl, graphqlPath }: PageContext): Page {
  const home = escapeHtml(publicUrl.pathOf('/'));
  const main = `<h1>You are invited</h1>
<p id="about"></p>
<noscript><p class="problem">${NO_SCRIPT}</p></noscript>
<div id="before" data-endpoint="${escapeHtml(publicUrl.pathOf(graphqlPath))}" hidden>
${FORMS}
</div>
<p id="outcome" role="status" aria-live="polite" tabindex="-1"></p>
<p id="next" hidden>You can close this page, or go on to <a href="${home}">Convene</a>.</p>`;
  const script = 'invitation-page.js';
  const title = 'You are invited – Convene';
  return renderPage({ title, publicUrl, main, narrow: true, script, cacheControl: 'no-store' });
}
