import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import type { FastifyInstance } from 'fastify';
import { ICON, LOGO } from '../pages/brand.js';
import { pageHeaders, sendPage, type Page } from '../pages/page.js';
import { readWebBundle, type WebScript, type WebStyle } from '../pages/web-bundle.js';
import { APP_PATH, type AccountPageContext } from './account-page-context.js';

interface Asset {
  readonly path: string;
  readonly contentType: string;
  readonly content: string;
}

const ASSETS_PATH = `${APP_PATH}/assets`;
const HASH_CHARACTERS = 12;
/** Script and style come from this service, and nothing inline runs. */
const SOURCES = {
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ['data:'],
  'connect-src': ["'self'"],
  'require-trusted-types-for': ["'script'"],
};

/**
 * Serves the web client: the page at `/app` and at every path below it, so that a link into the client can be opened
 * and reloaded, and its script and style. Other files below `/app/assets` are not found.
 */
export function registerApp(app: FastifyInstance, options: AccountPageContext): void {
  const script = createAsset('app-page.js', 'text/javascript; charset=utf-8');
  const style = createAsset('app.css', 'text/css; charset=utf-8');
  const page = renderApp(options, script, style);
  for (const url of [APP_PATH, `${APP_PATH}/*`]) {
    app.route({ method: ['GET', 'HEAD'], url, handler: (_request, reply) => sendPage(reply, page) });
  }
  for (const asset of [script, style]) registerAsset(app, asset);
  // The files of an earlier version: the page in their place would be read as a script.
  app.route({ method: ['GET', 'HEAD'], url: `${ASSETS_PATH}/*`, handler: (_request, reply) => reply.callNotFound() });
}

/** The hash is part of the path, so that the content of a path never changes and may be cached forever. */
function createAsset(file: WebScript | WebStyle, contentType: string): Asset {
  const content = readWebBundle(file);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
  return { path: `${ASSETS_PATH}/${hash}/${file}`, contentType, content };
}

function registerAsset(app: FastifyInstance, { path, contentType, content }: Asset): void {
  const headers = {
    'content-type': contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  };
  app.route({ method: ['GET', 'HEAD'], url: path, handler: (_request, reply) => reply.headers(headers).send(content) });
}

/** The page has no data of any request. The client reads the path by itself. */
function renderApp(
  { publicUrl, graphqlPath, passwordMinLength }: AccountPageContext,
  script: Asset,
  style: Asset,
): Page {
  const pathOf = (path: string) => escapeHtml(publicUrl.pathOf(path));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Convene</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${pathOf(style.path)}">
<script type="module" src="${pathOf(script.path)}"></script>
</head>
<body>
<header><a href="${pathOf(APP_PATH)}">${LOGO}Convene</a></header>
<div id="app" data-base-path="${escapeHtml(publicUrl.basePath)}" data-endpoint="${pathOf(graphqlPath)}"
  data-password-min-length="${passwordMinLength}">
<main><noscript><p class="problem">This page needs JavaScript.</p></noscript></main>
</div>
</body>
</html>
`;
  return { html, headers: pageHeaders(SOURCES, 'no-cache') };
}
