import escapeHtml from 'escape-html';
import { ICON, LOGO } from './brand.js';
import { hashOf, type Page, pageHeaders } from './page.js';
import { PAGE_STYLE } from './page-style.js';

export interface PageParts {
  readonly title: string;
  /** HTML, escaped by its maker. */
  readonly main: string;
  /** For a page about one thing. */
  readonly narrow?: boolean;
  /** Runs as a module once the page is there; the page must make sense without it. */
  readonly script?: string;
  readonly cacheControl: string;
}

/** The frame that all pages share: head, name, main part and, where there is one, the script. */
export function renderPage({ title, main, narrow = false, script, cacheControl }: PageParts): Page {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header${narrow ? ' class="narrow-header"' : ''}><a href="/">${LOGO}Convene</a></header>
<main${narrow ? ' class="narrow"' : ''}>
${main}
</main>
${script === undefined ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`;
  return { html, headers: pageHeaders(openingsFor(script), cacheControl) };
}

function openingsFor(script: string | undefined): Record<string, string[]> {
  const needed = { 'style-src': [hashOf(PAGE_STYLE)], 'img-src': ['data:'] };
  return script === undefined ? needed : { ...needed, 'script-src': [hashOf(script)], 'connect-src': ["'self'"] };
}
