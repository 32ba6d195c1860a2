import escapeHtml from 'escape-html';
import type { Page } from './page.js';
import { renderPage } from './render-page.js';
import { SECRET_PAGE_SCRIPT } from './secret-page-script.js';

export interface SecretPageParts {
  readonly title: string;
  /** What the visitor is about to do. */
  readonly paragraphs: readonly string[];
  readonly button: string;
  /** The sentence that is shown once it is done. */
  readonly done: string;
  /** A mutation with one variable, `$input`, that takes the secret and the form's own fields. */
  readonly mutation: string;
  readonly graphqlEndpoint: string;
  /** HTML of labelled inputs named as the input's fields are; empty where the secret is all that it takes. */
  readonly fields?: string;
}

/**
 * The page behind a mailed link. The secret stands in the URL's fragment, which browsers keep to themselves: it reaches the
 * service only in the body of the mutation, and only when the visitor presses the button. Opening the page
 * changes nothing, so mail scanners and previews may open it as they like.
 */
export function secretPage(parts: SecretPageParts): Page {
  const { title, paragraphs, button, done, mutation, graphqlEndpoint, fields = '' } = parts;
  const main = `<h1>${escapeHtml(title)}</h1>
<div id="before">
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<noscript><p class="problem">This page needs JavaScript: your browser keeps the secret in the link to itself until the button is pressed.</p></noscript>
<form data-endpoint="${escapeHtml(graphqlEndpoint)}" data-mutation="${escapeHtml(mutation)}" data-done="${escapeHtml(done)}">
${fields}<button type="submit" disabled>${escapeHtml(button)}</button>
</form>
</div>
<p id="outcome" role="status" aria-live="polite" tabindex="-1"></p>`;
  return renderPage({ title: `${title} – Convene`, main, narrow: true, script: SECRET_PAGE_SCRIPT, cacheControl: 'no-store' });
}
