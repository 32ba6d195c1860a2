import escapeHtml from 'escape-html';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PublicUrl } from '../../http-core/index.js';
import { registerPageAssets } from '../assets/page-asset.js';
import { ICON, LOGO } from './brand.js';
import { GRAPHIQL_ASSETS } from './graphiql-assets.js';
import { cspHash, pageHeaders, sendPage, type Page, type PageContext } from './page.js';
import { readWebBundle } from './web-bundle.js';

const LOGIN_DIALOG = `<dialog id="login" aria-labelledby="login-title">
<form>
<h2 id="login-title">Log in</h2>
<p class="quiet">One login for all tabs. Its tokens stay in the memory of this page: reloading it logs out.</p>
<label for="username">Username or email address</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<label class="choice"><input id="show-password" type="checkbox">Show password</label>
<p id="outcome" role="status" tabindex="-1"></p>
<p class="actions"><button type="submit">Log in</button><button type="button" class="plain close">Cancel</button></p>
<p>No account yet? <button type="button" id="open-register" class="link">Open the example Register</button></p>
</form>
</dialog>`;
const EXAMPLES_DIALOG = `<dialog id="examples" aria-labelledby="examples-title">
<div class="top"><h2 id="examples-title">Examples</h2><button type="button" class="plain close">Close</button></div>
<label for="find-example">Find an example</label>
<input id="find-example" type="search" autocomplete="off" placeholder="invite, token, me …">
<div id="example-list"></div>
</dialog>`;

/** Serves the assets of GraphiQL. Returns a function that sends its page. */
export async function registerGraphiql(
  app: FastifyInstance,
  context: PageContext,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const page = graphiqlPage(context);
  registerPageAssets(app, Object.values(GRAPHIQL_ASSETS));
  return (reply) => sendPage(reply, page);
}

/**
 * Creates the GraphiQL page, which loads only from this server: `registerPageAssets` serves its assets.
 *
 * Above GraphiQL is a bar with the examples and one login for all tabs. The browser stores nothing of what is typed.
 */
export function graphiqlPage({ graphqlPath, publicUrl }: PageContext): Page {
  const endpoint = publicUrl.pathOf(graphqlPath);
  const script = readWebBundle('graphiql-page.js');
  const options = {
    endpoint,
    script: publicUrl.pathOf(GRAPHIQL_ASSETS.script.path),
    // By the label under which the editor requests each.
    workers: {
      editorWorkerService: publicUrl.pathOf(GRAPHIQL_ASSETS.editorWorker.path),
      graphql: publicUrl.pathOf(GRAPHIQL_ASSETS.graphqlWorker.path),
      json: publicUrl.pathOf(GRAPHIQL_ASSETS.jsonWorker.path),
    },
    shouldPersistHeaders: false,
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
<link rel="preload" as="script" href="${options.script}">
<style>${readWebBundle('graphiql-page.css')}</style>
</head>
<body>
<noscript><p>${noScript}</p></noscript>
${bar(publicUrl)}
<main id="root" data-options="${escapeHtml(JSON.stringify(options))}">Loading GraphiQL…</main>
${LOGIN_DIALOG}
${EXAMPLES_DIALOG}
<script type="module">${script}</script>
</body>
</html>
`;
  return { html, headers: { ...pageHeaders(sourcesFor(script), 'no-cache'), vary: 'accept' } };
}

function bar(publicUrl: PublicUrl): string {
  return `<header class="bar">
<h1><a href="${escapeHtml(publicUrl.pathOf('/'))}">${LOGO}Convene</a> <span>GraphiQL</span></h1>
<button type="button" id="open-examples">Examples</button>
<p id="account" role="status">Not logged in</p>
<button type="button" id="open-login">Log in</button>
<button type="button" id="log-out" hidden>Log out</button>
</header>`;
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
