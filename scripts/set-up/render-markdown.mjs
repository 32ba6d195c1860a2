import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { Marked } from 'marked';

const WITH_SCHEME = /^[a-z][a-z+.-]*:/i;
const PAGE = /^docs\/(?<path>.+)\.md$/;
/** Paths of the service that serve a file of the project. */
const SERVED_FILES = new Map([['schema/openapi.yaml', '/openapi.json']]);
/** The server replaces it by the path of PUBLIC_URL. */
const BASE_PATH_MARK = '%BASE_PATH%';

/**
 * Returns the path at which the server has a page of docs/: `/docs/rest`, and `/docs/decisions` for a README.
 *
 * @returns null for a file that is not served
 */
export function servedPath(file) {
  const page = PAGE.exec(file)?.groups.path;
  if (page !== undefined) return `/docs/${page.replace(/\/README$/, '')}`;
  return SERVED_FILES.get(file) ?? null;
}

/**
 * Renders a page of docs/ as a part of an HTML page. Headings have the ids that they have on GitHub.
 *
 * @param file path from the root of the project, with slashes
 * @returns the title, the first sentence as text, the headings of the second level, and the HTML below the title
 */
export function renderMarkdown(file, text) {
  const headings = [];
  const marked = new Marked({ renderer: rendererFor(file, headings) });
  const tokens = marked.lexer(text);
  const textOf = (type) => plainText(marked, tokens.find((token) => token.type === type)?.tokens ?? []);
  const [summary] = /^.*?\.(?= |$)|.*/s.exec(textOf('paragraph'));
  return { title: textOf('heading'), summary, html: marked.parser(tokens), headings };
}

function rendererFor(file, headings) {
  const slugger = new GithubSlugger();
  return {
    heading({ tokens, depth }) {
      const name = this.parser.parseInline(tokens, this.parser.textRenderer);
      const id = slugger.slug(name);
      if (depth === 1) return '';
      if (depth === 2) headings.push({ id, name });
      return `<h${depth} id="${escape(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const target = linkTarget(file, href);
      return target === null ? content : `<a href="${escape(target)}">${content}</a>`;
    },
    // Wide code and tables scroll, also by keyboard.
    code: ({ text }) => `<pre tabindex="0" role="group" aria-label="Example"><code>${escape(text)}</code></pre>\n`,
    table({ header, rows }) {
      const head = `<thead>\n${tableRow(this.parser, header, 'th')}</thead>\n`;
      const body = `<tbody>\n${rows.map((row) => tableRow(this.parser, row, 'td')).join('')}</tbody>\n`;
      return `<div class="table" tabindex="0" role="group" aria-label="Table">
<table>
${head}${body}</table>
</div>
`;
    },
    // The pages are written in Markdown only.
    html: ({ text }) => (isComment(text) ? '' : escape(text)),
    image({ href, text }) {
      // The figures of a plot are also in the tables beside it.
      if (href.endsWith('.svg')) return `<em>${escape(text)}</em>`;
      throw new Error(`${file} has an image, which the server does not serve.`);
    },
  };
}

function isComment(html) {
  return /^<!--.*-->\s*$/s.test(html);
}

function tableRow(parser, cells, element) {
  return `<tr>${cells.map(({ tokens }) => `<${element}>${parser.parseInline(tokens)}</${element}>`).join('')}</tr>\n`;
}

/**
 * Returns the target of a link as the server has it.
 *
 * @returns null for a file that is not served: the link becomes its text
 */
function linkTarget(file, href) {
  if (WITH_SCHEME.test(href) || href.startsWith('#')) return href;
  const [path, fragment] = href.split('#', 2);
  const served = servedPath(posix.join(posix.dirname(file), path));
  return served === null ? null : BASE_PATH_MARK + served + (fragment === undefined ? '' : `#${fragment}`);
}

function plainText(marked, tokens) {
  const parser = new marked.Parser(marked.defaults);
  return parser.parseInline(tokens, parser.textRenderer);
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
