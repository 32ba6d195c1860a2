import escapeHtml from 'escape-html';
import type { ProblemType } from '../../http-core/index.js';
import type { Page, PageContext } from './page.js';
import { renderPage } from './render-page.js';

const INTRODUCTION =
  'Why a request can be refused. REST answers name the reason in <code>reason</code>, ' +
  'GraphQL errors in <code>extensions.reason</code>; programs can rely on these words.';

/** Creates the page that the `type` of a problem refers to. Each reason has a sentence, and an id for the fragment. */
export function problemsPage(types: readonly ProblemType[], { publicUrl }: PageContext): Page {
  const main = `<h1>Problems</h1>
<p>${INTRODUCTION}</p>
${types.map(section).join('\n')}`;
  return renderPage({ title: 'Problems – Convene', publicUrl, main, cacheControl: 'no-cache' });
}

function section({ status, title, reasons }: ProblemType): string {
  const items = Object.entries(reasons).map(
    ([reason, sentence]) =>
      `<li id="${escapeHtml(reason)}"><code>${escapeHtml(reason)}</code>` +
      `<span class="does">${escapeHtml(sentence)}</span></li>`,
  );
  return `<h2>${status} ${escapeHtml(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}
