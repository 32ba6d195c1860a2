/**
 * Renders the pages of docs/ into a folder: one part of an HTML page for each, and `index.json` with their paths,
 * titles and summaries. `set-up/docs-pages.mjs` starts it when a page has changed.
 *
 *   node scripts/render-docs.mjs <root> <folder>
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { filesUnder } from './set-up/fingerprints.mjs';
import { renderMarkdown, servedPath } from './set-up/render-markdown.mjs';

const [root, folder] = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const files = filesUnder(root, 'docs')
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => file.endsWith('.md'));
const pages = files.sort().map((file) => {
  const { html, ...page } = renderMarkdown(file, readFileSync(join(root, file), 'utf8'));
  const output = `${servedPath(file).slice('/docs/'.length).replaceAll('/', '-')}.html`;
  writeFileSync(join(folder, output), html);
  return { path: servedPath(file), file: output, ...page };
});
writeFileSync(join(folder, 'index.json'), JSON.stringify(pages));
