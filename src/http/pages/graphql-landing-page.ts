import escapeHtml from 'escape-html';
import type { Page, PageContext } from './page.js';
import { renderPage } from './render-page.js';

/** Creates the page that a browser gets at the path of GraphQL when GraphiQL is off. */
export function graphqlLandingPage({ publicUrl, graphqlPath }: PageContext): Page {
  const example = `curl ${publicUrl.urlOf(graphqlPath)} \\
  -H 'content-type: application/json' \\
  -d '{"query": "{ __typename }"}'`;
  const link = (path: string, label: string): string =>
    `<a href="${escapeHtml(publicUrl.pathOf(path))}">${escapeHtml(label)}</a>`;
  const main = `<h1>GraphQL</h1>
<p>This is the GraphQL endpoint of Convene. It answers programs, which send their operations by POST:</p>
<pre class="wrapped"><code>${escapeHtml(example)}</code></pre>
<p>The ${link('/docs/graphql', 'documentation of GraphQL')} describes requests, errors, limits and live changes. \
${link('/', 'The start page')} lists everything else that this service offers.</p>
<p class="quiet">GraphiQL, the editor of operations, is switched off on this service.</p>`;
  const page = renderPage({ title: 'GraphQL – Convene', publicUrl, main, cacheControl: 'no-cache' });
  return { ...page, headers: { ...page.headers, vary: 'accept' } };
}
