import escapeHtml from 'escape-html';
import type { Page } from './page.js';
import { renderPage } from './render-page.js';
import type { WebScript } from './web-bundle.js';

/** A form that the script of the page sends. */
export interface PageForm {
  /** What the visitor is about to do. */
  readonly paragraphs: readonly string[];
  /** HTML of labelled inputs, named as the script reads them; empty where the secret is all that it takes. */
  readonly fields?: string;
  readonly button: string;
  /** The sentence that is shown once it is done. */
  readonly done: string;
}

export interface MailedLinkPageOptions extends PageForm {
  readonly title: string;
  readonly graphqlEndpoint: string;
  readonly script: WebScript;
  /** What a visitor is offered who comes without a secret, and what takes none; nothing but a hint to look for the link unless given. */
  readonly withoutSecret?: PageForm;
}

/**
 * The page behind a mailed link. The secret stands in the URL's fragment, which browsers keep to themselves: it reaches the
 * service only in the body of the mutation, and only when the visitor presses the button. Opening the page
 * changes nothing, so mail scanners and previews may open it as they like.
 */
export function renderMailedLinkPage(options: MailedLinkPageOptions): Page {
  const { title, graphqlEndpoint, script, withoutSecret } = options;
  const main = `<h1>${escapeHtml(title)}</h1>
<noscript><p class="problem">This page needs JavaScript: your browser keeps the secret in the link to itself until the button is pressed.</p></noscript>
<div id="before">
${formOf(options, graphqlEndpoint)}
</div>
${withoutSecret === undefined ? '' : `<div id="without-secret" hidden>\n${formOf(withoutSecret, graphqlEndpoint)}\n</div>\n`}<p id="outcome" role="status" aria-live="polite" tabindex="-1"></p>`;
  return renderPage({ title: `${title} – Convene`, main, narrow: true, script, cacheControl: 'no-store' });
}

/** The button is for the script to enable: without it, it would do nothing. */
function formOf({ paragraphs, fields = '', button, done }: PageForm, endpoint: string): string {
  return `${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<form data-endpoint="${escapeHtml(endpoint)}" data-done="${escapeHtml(done)}">
${fields}<button type="submit" disabled>${escapeHtml(button)}</button>
</form>`;
}
