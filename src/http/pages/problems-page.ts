import escapeHtml from 'escape-html';
import { exampleProblem, graphqlStatus, type ProblemType, type PublicUrl } from '../../http-core/index.js';
import type { Page, PageContext } from './page.js';
import { renderPage } from './render-page.js';

const INTRODUCTION =
  'Why a request can be refused, and what to do about it. REST answers name the reason in <code>reason</code>, ' +
  'GraphQL errors in <code>extensions.reason</code>; programs can rely on these words.';

/** Creates the page that the `type` of a problem refers to. Each reason has its texts, and an id for the fragment. */
export function problemsPage(types: readonly ProblemType[], { publicUrl }: PageContext): Page {
  const contents = types.map(
    ({ status, title, code }) => `<li><a href="#${code}-class">${status} ${escapeHtml(title)}</a></li>`,
  );
  const main = `<h1>Problems</h1>
<p>${INTRODUCTION}</p>
<details class="contents"><summary>On this page</summary>
<ul>
${contents.join('\n')}
</ul></details>
${types.map((type) => section(type, publicUrl)).join('\n')}`;
  return renderPage({ title: 'Problems – Convene', publicUrl, main, cacheControl: 'no-cache' });
}

/** The id of the heading differs from that of a reason with the same name as its code. */
function section(type: ProblemType, publicUrl: PublicUrl): string {
  const { code, status, title, reasons } = type;
  const example = escapeHtml(JSON.stringify(exampleProblem(type, publicUrl), null, 2));
  const items = Object.entries(reasons).map(
    ([reason, { message, remedy }]) =>
      `<li id="${escapeHtml(reason)}"><code>${escapeHtml(reason)}</code>` +
      `<span class="means">${escapeHtml(message)}</span><span class="does">${escapeHtml(remedy)}</span></li>`,
  );
  return `<h2 id="${code}-class">${status} ${escapeHtml(title)}</h2>
<p class="quiet">Code <code>${code}</code>, status ${status} in REST and ${graphqlStatus(type)} in GraphQL.</p>
<ul>
${items.join('\n')}
</ul>
<details class="example"><summary>Example<span class="hidden-text"> of ${escapeHtml(title)}</span></summary>
<pre class="wrapped"><code>${example}</code></pre></details>`;
}
