import escapeHtml from 'escape-html';
import { ICON, LOGO } from './brand.js';
import type { ExampleOperation } from './example-operations.js';
import { GRAPHIQL_ASSETS } from './graphiql-assets.js';
import { hashOf, type Page, pageHeaders } from './page.js';

export interface GraphiqlPageParts {
  /** The path that operations are sent to. */
  readonly endpoint: string;
  /** Opened as tabs for a visitor who has none yet. */
  readonly tabs: readonly ExampleOperation[];
}

/** Under the labels by which the editor asks for them. */
const WORKERS = {
  editorWorkerService: GRAPHIQL_ASSETS.editorWorker.path,
  graphql: GRAPHIQL_ASSETS.graphqlWorker.path,
  json: GRAPHIQL_ASSETS.jsonWorker.path,
};
const TOKEN_PLACEHOLDER = 'Bearer paste_the_access_token';

/**
 * The placeholder is never sent: registering and reading the schema work without a token, and fail with a wrong one.
 *
 * `onEditQuery` replaces what would write every keystroke into the page's URL, from where a password typed into
 * a mutation would go to the server, and into logs, with the next reload.
 *
 * The fonts (they are in the style sheet) come first: tabs that change their width after the first rendering
 * jump away from under the first click, which is then lost.
 */
const BOOT = `
const root = document.getElementById('root');
const { workers, ...options } = JSON.parse(root.dataset.options);
const send = fetch;
globalThis.fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  if (headers.get('authorization') === '${TOKEN_PLACEHOLDER}') headers.delete('authorization');
  return send(url, { ...init, headers });
};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
await Promise.allSettled([...document.fonts].map((font) => font.load()));
YogaGraphiQL.renderYogaGraphiQL(root, { ...options, onEditQuery() {} });
`;

/** Layout of the bundle's root; its own rules expect a page that fills the window. */
const STYLE = 'html, body, #root { height: 100%; margin: 0; } #root { font-family: system-ui, sans-serif; }';

/** Monaco, its editor, sets styles at run time; all else is from this server. Styles cannot send anything anywhere here. */
const OPENINGS = {
  'script-src': ["'self'", hashOf(BOOT)],
  'worker-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ['data:'],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'none'"],
};

/**
 * GraphiQL for either engine, loaded from this server alone; `registerGraphiqlAssets` serves its parts.
 *
 * Tokens typed into its headers are not kept in the browser beyond the open page.
 */
export function graphiqlPage({ endpoint, tabs }: GraphiqlPageParts): Page {
  const options = {
    title: 'Convene',
    logo: LOGO,
    endpoint,
    workers: WORKERS,
    shouldPersistHeaders: false,
    headers: JSON.stringify({ Authorization: TOKEN_PLACEHOLDER }, null, 2),
    defaultEditorToolsVisibility: 'variables',
    defaultTabs: tabs.map(tabOf),
  };
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Convene – GraphiQL</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${GRAPHIQL_ASSETS.style.path}">
<style>${STYLE}</style>
</head>
<body>
<noscript><p>GraphiQL needs JavaScript. Programs POST their operations to <code>${escapeHtml(endpoint)}</code>.</p></noscript>
<div id="root" data-options="${escapeHtml(JSON.stringify(options))}">Loading GraphiQL…</div>
<script src="${GRAPHIQL_ASSETS.script.path}"></script>
<script type="module">${BOOT}</script>
</body>
</html>
`;
  return { html, headers: { ...pageHeaders(OPENINGS, 'no-cache'), vary: 'accept' } };
}

function tabOf({ query, variables }: ExampleOperation): { query: string; variables: string | null } {
  return { query, variables: variables === undefined ? null : JSON.stringify(variables, null, 2) };
}
