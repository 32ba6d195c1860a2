import escapeHtml from 'escape-html';
import type { FastifyInstance } from 'fastify';
import type { PublicUrl } from '../../http-core/index.js';
import { registerPageAssets } from '../assets/page-asset.js';
import { ICON, LOGO } from '../pages/brand.js';
import { cspHash, pageHeaders, sendPage, type Page } from '../pages/page.js';
import { readWebBundle } from '../pages/web-bundle.js';
import { API_REFERENCE_SCRIPT } from './api-reference-script.js';

export const API_REFERENCE_PATH = '/api/docs';

export interface ApiReferenceOptions {
  readonly publicUrl: PublicUrl;
  /** The path of the OpenAPI document. */
  readonly openApiPath: string;
  /** The path where the page exchanges a username and a password for an access token. */
  readonly tokenPath: string;
}

/** Serves the reference of the REST API as a page from which requests can be sent. */
export function registerApiReference(app: FastifyInstance, options: ApiReferenceOptions): void {
  const page = apiReferencePage(options);
  registerPageAssets(app, [API_REFERENCE_SCRIPT]);
  app.route({
    method: ['GET', 'HEAD'],
    url: API_REFERENCE_PATH,
    handler: (_request, reply) => sendPage(reply, page),
  });
}

/** Creates the page, which loads only from this server and sends requests only to it. */
function apiReferencePage({ publicUrl, openApiPath, tokenPath }: ApiReferenceOptions): Page {
  const script = readWebBundle('api-reference-page.js');
  const document = escapeHtml(publicUrl.pathOf(openApiPath));
  const options = {
    document: publicUrl.pathOf(openApiPath),
    basePath: publicUrl.basePath,
    tokenPath: publicUrl.pathOf(tokenPath),
  };
  const noScript = `This page needs JavaScript. It shows the contract in <a href="${document}">${document}</a>.`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Convene – REST API</title>
<link rel="icon" href="${ICON}">
<style>${readWebBundle('api-reference-page.css')}</style>
</head>
<body>
<nav class="home" aria-label="Service"><a href="${escapeHtml(publicUrl.pathOf('/'))}">${LOGO}Convene</a></nav>
<noscript><p>${noScript}</p></noscript>
<div id="root" data-options="${escapeHtml(JSON.stringify(options))}"></div>
<script src="${escapeHtml(publicUrl.pathOf(API_REFERENCE_SCRIPT.path))}"></script>
<script type="module">${script}</script>
</body>
</html>
`;
  return { html, headers: pageHeaders(sourcesFor(script), 'no-cache') };
}

/**
 * `'unsafe-inline'` is for Scalar and its editor CodeMirror, which create styles at run time. It is safe, because the
 * policy allows no other host that a style could send data to.
 */
function sourcesFor(script: string): Record<string, string[]> {
  return {
    'script-src': ["'self'", cspHash(script)],
    'style-src': ["'unsafe-inline'"],
    'font-src': ['data:'],
    'img-src': ['data:'],
    'connect-src': ["'self'"],
    'form-action': ["'none'"],
  };
}
