import escapeHtml from 'escape-html';
import type { PublicUrl } from '../../http-core/index.js';
import { ICON, LOGO } from './brand.js';
import { cspHash, pageHeaders, type Page } from './page.js';
import { readWebBundle, type WebScript } from './web-bundle.js';

export interface PageParts {
  readonly title: string;
  readonly publicUrl: PublicUrl;
  /** HTML. The caller escapes its values. */
  readonly main: string;
  /** True for a page with one form or text. */
  readonly narrow?: boolean;
  /** Runs as a module when the page is loaded. The page must be understandable without it. */
  readonly script?: WebScript;
  readonly cacheControl: string;
}

/**
 * Renders a page in the common layout: head, header, main part, and the script if there is one.
 *
 * Style and script are inline and allowed by their hashes, so that a page takes one request.
 */
export function renderPage(parts: PageParts): Page {
  const { title, publicUrl, main, narrow = false, script: file, cacheControl } = parts;
  const home = escapeHtml(publicUrl.pathOf('/'));
  const style = readWebBundle('page.css');
  const script = file === undefined ? null : readWebBundle(file);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body>
<header${narrow ? ' class="narrow-header"' : ''}><a href="${home}">${LOGO}Convene</a></header>
<main${narrow ? ' class="narrow"' : ''}>
${main}
</main>
${script === null ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`;
  return { html, headers: pageHeaders(sourcesFor(style, script), cacheControl) };
}

function sourcesFor(style: string, script: string | null): Record<string, string[]> {
  const needed = { 'style-src': [cspHash(style)], 'img-src': ['data:'] };
  return script === null ? needed : { ...needed, 'script-src': [cspHash(script)], 'connect-src': ["'self'"] };
}
