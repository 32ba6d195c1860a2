import escapeHtml from 'escape-html';
import type { PublicUrl } from '../../http-core/index.js';
import { renderPage, type Page } from '../pages/index.js';
import { readDocHtml, type Doc } from './read-docs.js';

export const DOCS_PATH = '/docs';
const DECISIONS_PATH = `${DOCS_PATH}/decisions`;
/** Pages with fewer sections have no list of them. */
const MIN_SECTIONS = 3;
/** By the beginning of their summary. */
const AUDIENCES = [
  ['For client developers', 'Client developers'],
  ['For operators', 'Operators'],
  ['For developers', 'Developers of Convene'],
] as const;

/** Creates the list of all pages, by audience. Single decisions are listed on a page of their own. */
export function docsIndexPage(docs: Iterable<Doc>, publicUrl: PublicUrl): Page {
  const listed = [...docs].filter(({ path }) => !path.startsWith(`${DECISIONS_PATH}/`));
  const sections = AUDIENCES.map(([prefix, heading]) => {
    const items = listed.filter(({ summary }) => summary.startsWith(prefix)).map((doc) => indexItem(doc, publicUrl));
    return `<h2>${heading}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  return docsPage('Documentation', `<h1>Documentation</h1>\n${sections.join('\n')}`, publicUrl);
}

/** Creates the page of one document. */
export function docPage(doc: Doc, publicUrl: PublicUrl): Page {
  const main = `${breadcrumb(doc, publicUrl)}
<h1>${escapeHtml(doc.title)}</h1>
${contents(doc)}<div class="doc">
${readDocHtml(doc, publicUrl.basePath)}</div>`;
  return docsPage(doc.title, main, publicUrl);
}

function docsPage(title: string, main: string, publicUrl: PublicUrl): Page {
  return renderPage({ title: `${title} – Convene`, publicUrl, main, cacheControl: 'no-cache' });
}

function indexItem({ path, title, summary }: Doc, publicUrl: PublicUrl): string {
  const text = summary.replace(/^[^:]*: /, '');
  return `<li>${link(path, title, publicUrl)}<span class="does">${escapeHtml(capitalized(text))}</span></li>`;
}

function breadcrumb({ path }: Doc, publicUrl: PublicUrl): string {
  const parents = [link(DOCS_PATH, 'Documentation', publicUrl)];
  if (path.startsWith(`${DECISIONS_PATH}/`)) parents.push(link(DECISIONS_PATH, 'Decisions', publicUrl));
  return `<nav class="breadcrumb" aria-label="Breadcrumb">${parents.join(' › ')}</nav>`;
}

function contents({ headings }: Doc): string {
  if (headings.length < MIN_SECTIONS) return '';
  const items = headings.map(({ id, name }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(name)}</a></li>`);
  return `<details class="contents"><summary>On this page</summary>\n<ul>\n${items.join('\n')}\n</ul></details>\n`;
}

function link(path: string, label: string, publicUrl: PublicUrl): string {
  return `<a href="${escapeHtml(publicUrl.pathOf(path))}">${escapeHtml(label)}</a>`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
