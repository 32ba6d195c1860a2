import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildUnlessFresh, filesUnder, fingerprintsOf } from './fingerprints.mjs';
import { run, say } from './steps.mjs';

/** Read by src/http/docs. */
const OUTPUT_FOLDER = join('dist', 'docs');
const RENDERER = join('scripts', 'render-docs.mjs');
/** package-lock.json contains the version of the Markdown parser. */
const FURTHER_FILES = ['package-lock.json', RENDERER, join('scripts', 'set-up', 'render-markdown.mjs')];

/**
 * Renders the pages of docs/ into dist/docs when a page or the renderer has changed.
 *
 * @throws SetUpError when they cannot be rendered; they then count as stale
 */
export function renderDocsIfStale(root) {
  const folder = join(root, OUTPUT_FOLDER);
  const now = fingerprintsOf(root, [...filesUnder(root, 'docs'), ...FURTHER_FILES]);
  buildUnlessFresh(join(root, 'dist', '.docs.json'), now, () => {
    say('Rendering docs/.');
    rmSync(folder, { recursive: true, force: true });
    run(root, process.execPath, [join(root, RENDERER), root, folder], 'The pages in docs/ cannot be rendered.');
  });
}
