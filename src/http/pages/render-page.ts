import escapeHtml from 'escape-html';
import { ICON, LOGO } from './brand.js';
import { cspHash, pageHeaders, type Page } from './page.js';
import { readWebBundle, type WebScript } from './web-bundle.js';

export interface PageParts {
  readonly title: string;
  /** HTML, escaped by its maker. */
  readonly main: string;
  /** For a page about one thing. */
  readonly narrow?: boolean;
  /** Runs as a module once the page is there; the page must make sense without it. */
  readonly script?: WebScript;
  readonly cacheControl: string;
}

/**
 * The frame that all pages share: head, name, main part and, where there is one, the script.
 *
 * Style and script are inline, allowed by their hashes, so a page is one request.
 */
export function renderPage({ title, main, narrow = false, script: file, cacheControl }: PageParts): Page {
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
<header${narrow ? ' class="narrow-header"' : ''}><a href="/">${LOGO}Convene</a></header>
<main${narrow ? ' class="narrow"' : ''}>
${main}
</main>
${script === null ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`;
  return { html, headers: pageHeaders(openingsFor(style, script), cacheControl) };
}

function openingsFor(style: string, script: string | null): Record<string, string[]> {
  const needed = { 'style-src': [cspHash(style)], 'img-src': ['data:'] };
  return script === null ? needed : { ...needed, 'script-src': [cspHash(script)], 'connect-src': ["'self'"] };
}
