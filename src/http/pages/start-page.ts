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
  /** One sentence with the version and the GraphQL engine; null where visitors are not told. */
  readonly running: string | null;
  /** The path that reports whether the service can serve requests. */
  readonly healthPath: string;
  readonly graphiql: boolean;
  readonly restRoutes: readonly StartPageRoute[];
  /** Pages for people. */
  readonly pages: readonly StartPageLink[];
  /** Other resources that a browser can open. */
  readonly links: readonly StartPageLink[];
}

const GRAPHQL_SUMMARY = 'Every operation of the service, and live changes of a group.';

/** Creates the page at `/`, which lists the paths of the service. Its script shows whether the service is ready. */
export function startPage(parts: StartPageParts): Page {
  const { running, publicUrl, graphqlPath, restRoutes, links } = parts;
  const main = `<h1>Convene is running</h1>
<p>Invite people to something, collect their answers, and know immediately whether it takes place.</p>
${health(publicUrl.pathOf(parts.healthPath))}
${running === null ? '' : `<p class="quiet">${escapeHtml(running)}</p>`}
<h2>Open</h2>
<ul class="cards">
${pagesOf(parts)
  .map((link) => `<li>${linkItem(publicUrl, link)}</li>`)
  .join('\n')}
</ul>
<h2>GraphQL</h2>
${list([routeItem(publicUrl, { method: 'POST', path: graphqlPath, summary: GRAPHQL_SUMMARY })])}
<h2>REST</h2>
${list(restRoutes.map((route) => routeItem(publicUrl, route)))}
<h2>For programs</h2>
${list(links.map((link) => linkItem(publicUrl, link)))}
<h2>First steps</h2>
<p>Register, get a token, and read your profile:</p>
<pre class="wrapped"><code>${escapeHtml(firstSteps(publicUrl.href))}</code></pre>`;
  return renderPage({ title: 'Convene', publicUrl, main, script: 'start-page.js', cacheControl: 'no-cache' });
}

function pagesOf({ graphiql, graphqlPath, pages }: StartPageParts): readonly StartPageLink[] {
  const editor = { path: graphqlPath, label: 'GraphiQL', summary: 'Explore the schema, and run operations.' };
  return graphiql ? [editor, ...pages] : pages;
}

/** Without JavaScript it is a link to the health check. */
function health(path: string): string {
  const href = escapeHtml(path);
  return `<p class="health" id="health" data-url="${href}"><span role="status"></span> \
<a href="${href}">Health check</a></p>`;
}

function routeItem(publicUrl: PublicUrl, { method, path, summary }: StartPageRoute): string {
  return `${pathItem(method, publicUrl.pathOf(path))}${summaryOf(summary)}`;
}

function pathItem(method: string, path: string): string {
  return `<code><span class="method">${escapeHtml(method)}</span> ${escapeHtml(path)}</code>`;
}

function linkItem(publicUrl: PublicUrl, { path, label, summary }: StartPageLink): string {
  return `<a href="${escapeHtml(publicUrl.pathOf(path))}">${escapeHtml(label)}</a>${summaryOf(summary)}`;
}

function summaryOf(text: string): string {
  return `<span class="does">${escapeHtml(text)}</span>`;
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
