import escapeHtml from 'escape-html';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ICON, LOGO } from './brand.js';
import { GRAPHIQL_ASSETS, registerGraphiqlAssets } from './graphiql-assets.js';
import { cspHash, pageHeaders, sendPage, type Page, type PageContext } from './page.js';
import { readWebBundle } from './web-bundle.js';

/** Initial value of the `authorization` header. The script of the page never sends it. */
const TOKEN_PLACEHOLDER = 'Bearer paste_the_access_token';

/** Serves the assets of GraphiQL. Returns a function that sends its page. */
export async function registerGraphiql(
  app: FastifyInstance,
  context: PageContext,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const page = graphiqlPage(context);
  await registerGraphiqlAssets(app);
  return (reply) => sendPage(reply, page);
}

/**
 * Creates the GraphiQL page, which loads only from this server: `registerGraphiqlAssets` serves its assets.
 *
 * The browser does not store tokens that are typed into the headers.
 */
export function graphiqlPage({ graphqlPath, publicUrl }: PageContext): Page {
  const endpoint = publicUrl.pathOf(graphqlPath);
  const script = readWebBundle('graphiql-page.js');
  const options = {
    title: 'Convene',
    logo: LOGO,
    endpoint,
    // By the label under which the editor requests each.
    workers: {
      editorWorkerService: publicUrl.pathOf(GRAPHIQL_ASSETS.editorWorker.path),
      graphql: publicUrl.pathOf(GRAPHIQL_ASSETS.graphqlWorker.path),
      json: publicUrl.pathOf(GRAPHIQL_ASSETS.jsonWorker.path),
    },
    tokenPlaceholder: TOKEN_PLACEHOLDER,
    shouldPersistHeaders: false,
    headers: JSON.stringify({ Authorization: TOKEN_PLACEHOLDER }, null, 2),
    defaultEditorToolsVisibility: 'variables',
  };
  const noScript = `GraphiQL needs JavaScript. Programs POST their operations to <code>${escapeHtml(endpoint)}</code>.`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Convene – GraphiQL</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${publicUrl.pathOf(GRAPHIQL_ASSETS.style.path)}">
<style>${readWebBundle('graphiql-page.css')}</style>
</head>
<body>
<noscript><p>${noScript}</p></noscript>
<div id="root" data-options="${escapeHtml(JSON.stringify(options))}">Loading GraphiQL…</div>
<script src="${publicUrl.pathOf(GRAPHIQL_ASSETS.script.path)}"></script>
<script type="module">${script}</script>
</body>
</html>
`;
  return { html, headers: { ...pageHeaders(sourcesFor(script), 'no-cache'), vary: 'accept' } };
}

/**
 * `'unsafe-inline'` is for Monaco, GraphiQL's editor, which sets styles at run time. It is safe, because the policy
 * allows no other host that a style could send data to.
 */
function sourcesFor(script: string): Record<string, string[]> {
  return {
    'script-src': ["'self'", cspHash(script)],
    'worker-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ['data:'],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'form-action': ["'none'"],
  };
}
