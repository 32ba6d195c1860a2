import escapeHtml from 'escape-html';
import type { Page } from './page.js';
import { renderPage } from './render-page.js';

interface StartPageLink {
  readonly href: string;
  readonly label: string;
  readonly summary: string;
}

interface StartPageRoute {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

export interface StartPageParts {
  /** One sentence that names the GraphQL engine. */
  readonly running: string;
  /** URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  readonly graphqlEndpoint: string;
  readonly graphiql: boolean;
  readonly restRoutes: readonly StartPageRoute[];
  /** Other resources that a browser can open. */
  readonly links: readonly StartPageLink[];
}

/** Creates the page at `/`, which lists the paths of the service. */
export function startPage(parts: StartPageParts): Page {
  const { running, publicUrl, graphqlEndpoint, graphiql, restRoutes, links } = parts;
  const main = `<h1>Convene is running</h1>
<p>Invite people to something, collect their answers, and know at once whether it takes place.</p>
<p class="quiet">${escapeHtml(running)}</p>
<h2>GraphQL</h2>
${list([graphqlLink(graphqlEndpoint, graphiql)])}
<h2>REST</h2>
${list(restRoutes.map(routeItem))}
<h2>First steps</h2>
<p>Register, get a token, and ask who you are:</p>
<pre tabindex="0" aria-label="Shell commands"><code>${escapeHtml(firstSteps(publicUrl))}</code></pre>
${links.length === 0 ? '' : `<h2>Read on</h2>\n${list(links.map(linkItem))}`}`;
  return renderPage({ title: 'Convene', main, cacheControl: 'no-cache' });
}

function graphqlLink(endpoint: string, graphiql: boolean): string {
  if (graphiql)
    return linkItem({
      href: endpoint,
      label: 'GraphiQL',
      summary: `Explore the schema and run operations in the browser; programs POST to ${endpoint}.`,
    });
  return `<code><span class="method">POST</span> ${escapeHtml(endpoint)}</code>`;
}

function routeItem({ method, path, summary }: StartPageRoute): string {
  const route = `<span class="method">${escapeHtml(method)}</span> ${escapeHtml(path)}`;
  return `<code>${route}</code><span class="does">${escapeHtml(summary)}</span>`;
}

function linkItem({ href, label, summary }: StartPageLink): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a><span class="does">${escapeHtml(summary)}</span>`;
}

function list(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

function firstSteps(publicUrl: string): string {
  return `curl ${publicUrl}/api/auth/register \\
  -H 'content-type: application/json' \\
  -d '{"username": "ada", "password": "seven quiet lanterns"}'

curl ${publicUrl}/api/auth/token \\
  -d username=ada -d 'password=seven quiet lanterns'

curl ${publicUrl}/api/auth/me \\
  -H 'authorization: Bearer <access_token>'`;
}
