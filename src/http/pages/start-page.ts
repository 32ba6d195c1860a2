import escapeHtml from 'escape-html';
import type { PublicUrl } from '../../http-core/index.js';
import type { Page, PageContext } from './page.js';
import { renderPage } from './render-page.js';

interface StartPageLink {
  readonly path: string;
  readonly label: string;
  readonly summary: string;
}

interface StartPageRoute {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

export interface StartPageParts extends PageContext {
  /** One sentence that names the GraphQL engine. */
  readonly running: string;
  readonly graphiql: boolean;
  readonly restRoutes: readonly StartPageRoute[];
  /** Other resources that a browser can open. */
  readonly links: readonly StartPageLink[];
}

/** Creates the page at `/`, which lists the paths of the service. */
export function startPage(parts: StartPageParts): Page {
  const { running, publicUrl, graphqlPath, graphiql, restRoutes, links } = parts;
  const endpoint = publicUrl.pathOf(graphqlPath);
  const linkItems = links.map(({ path, ...link }) => linkItem({ ...link, href: publicUrl.pathOf(path) }));
  const main = `<h1>Convene is running</h1>
<p>Invite people to something, collect their answers, and know at once whether it takes place.</p>
<p class="quiet">${escapeHtml(running)}</p>
<h2>GraphQL</h2>
${list([graphiql ? graphiqlItem(endpoint) : pathItem('POST', endpoint)])}
<h2>REST</h2>
${list(restRoutes.map((route) => routeItem(publicUrl, route)))}
<h2>First steps</h2>
<p>Register, get a token, and ask who you are:</p>
<pre tabindex="0" aria-label="Shell commands"><code>${escapeHtml(firstSteps(publicUrl.href))}</code></pre>
${links.length === 0 ? '' : `<h2>Read on</h2>\n${list(linkItems)}`}`;
  return renderPage({ title: 'Convene', publicUrl, main, cacheControl: 'no-cache' });
}

function graphiqlItem(endpoint: string): string {
  return linkItem({
    href: endpoint,
    label: 'GraphiQL',
    summary: `Explore the schema and run operations in the browser; programs POST to ${endpoint}.`,
  });
}

function routeItem(publicUrl: PublicUrl, { method, path, summary }: StartPageRoute): string {
  return `${pathItem(method, publicUrl.pathOf(path))}<span class="does">${escapeHtml(summary)}</span>`;
}

function pathItem(method: string, path: string): string {
  return `<code><span class="method">${escapeHtml(method)}</span> ${escapeHtml(path)}</code>`;
}

function linkItem({ href, label, summary }: Omit<StartPageLink, 'path'> & { readonly href: string }): string {
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
