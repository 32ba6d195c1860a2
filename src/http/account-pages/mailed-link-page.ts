import escapeHtml from 'escape-html';
import type { Page } from '../pages/page.js';
import { renderPage } from '../pages/render-page.js';
import type { WebScript } from '../pages/web-bundle.js';
import { APP_PATH, type AccountPageContext } from './account-page-context.js';

/** A form that the script of the page submits. */
export interface PageForm {
  /** Explain the action to the visitor. */
  readonly paragraphs: readonly string[];
  /** HTML of labelled inputs, with the names that the script reads; none by default. */
  readonly fields?: string;
  readonly button: string;
  /** The sentence that is shown after success. */
  readonly done: string;
}

export interface MailedLinkPageOptions extends PageForm, AccountPageContext {
  readonly title: string;
  readonly script: WebScript;
  /** Form for visitors without a secret. By default, they see a hint to look for the link. */
  readonly withoutSecret?: PageForm;
}

const NO_SCRIPT =
  'This page needs JavaScript: your browser keeps the secret in the link to itself until the button is pressed.';

/**
 * Renders a page behind a mailed link.
 *
 * The secret is in the URL's fragment, which browsers do not send. It reaches the service only in the body of the
 * mutation, when the visitor presses the button. Opening the page changes nothing, so mail scanners may open it.
 */
export function renderMailedLinkPage(options: MailedLinkPageOptions): Page {
  const { title, publicUrl, graphqlPath, script, withoutSecret, hasApp } = options;
  const endpoint = publicUrl.pathOf(graphqlPath);
  const unlinked =
    withoutSecret === undefined ? '' : `<div id="without-secret" hidden>\n${formOf(withoutSecret, endpoint)}\n</div>\n`;
  const onward = hasApp
    ? `<a href="${escapeHtml(publicUrl.pathOf(APP_PATH))}">Go on to Convene</a>`
    : 'You can close this page.';
  const main = `<h1>${escapeHtml(title)}</h1>
<noscript><p class="problem">${NO_SCRIPT}</p></noscript>
<div id="before">
${formOf(options, endpoint)}
</div>
${unlinked}<p id="outcome" role="status" aria-live="polite" tabindex="-1"></p>
<p id="next" hidden>${onward}</p>`;
  return renderPage({ title: `${title} – Convene`, publicUrl, main, narrow: true, script, cacheControl: 'no-store' });
}

/** The script enables the button, which has no effect without it. */
function formOf({ paragraphs, fields = '', button, done }: PageForm, endpoint: string): string {
  return `${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<form data-endpoint="${escapeHtml(endpoint)}" data-done="${escapeHtml(done)}">
${fields}<button type="submit" disabled>${escapeHtml(button)}</button>
</form>`;
}
