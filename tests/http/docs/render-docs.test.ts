import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTemporaryFolder, removeFolder } from '../../support/database/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RENDERED = 'Rendering docs/.\n';
const SCRIPT = `
const { renderDocsIfStale } = await import(${JSON.stringify(`file://${ROOT}scripts/set-up/docs-pages.mjs`)});
renderDocsIfStale(process.argv[1]);
`;
const PAGE = `# Page & \`code\`

For operators: what it does. More text.

## A \`code\` & "heading"

[Other](other.md#part), [one](decisions/0001-one.md), [all](decisions/README.md),
[the contract](../schema/openapi.yaml), [a file](../package.json), [here](#a-code--heading),
[elsewhere](https://example.org/a?b=1&c=2).

## Twice

## Twice

| a | b |
|---|---|
| <b>raw</b> | \`x < y\` |

\`\`\`sh
echo "a < b" && exit
\`\`\`
`;

let root: string;

beforeEach(async () => {
  root = await createTemporaryFolder();
  cpSync(`${ROOT}scripts`, join(root, 'scripts'), { recursive: true });
  symlinkSync(`${ROOT}node_modules`, join(root, 'node_modules'));
  for (const folder of ['docs/decisions', 'dist']) mkdirSync(join(root, folder), { recursive: true });
  write('package-lock.json', '{}');
  write('docs/page.md', PAGE);
  write('docs/decisions/README.md', '# Decisions\n\nFor developers: why.\n\n[Page](../page.md)\n');
});
afterEach(() => removeFolder(root));

function write(file: string, content: string): void {
  writeFileSync(join(root, file), content);
}

function render() {
  return spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT, root], { encoding: 'utf8' });
}

const output = (file: string): string => readFileSync(join(root, 'dist/docs', file), 'utf8');

describe('renderDocsIfStale', () => {
  it('lists each page with its path, title, first sentence and sections', () => {
    expect(render()).toMatchObject({ status: 0, stdout: RENDERED, stderr: '' });
    const sections = [
      { id: 'a-code--heading', name: 'A code & "heading"' },
      { id: 'twice', name: 'Twice' },
      { id: 'twice-1', name: 'Twice' },
    ];
    expect(JSON.parse(output('index.json'))).toEqual([
      {
        path: '/docs/decisions',
        file: 'decisions.html',
        title: 'Decisions',
        summary: 'For developers: why.',
        headings: [],
      },
      {
        path: '/docs/page',
        file: 'page.html',
        title: 'Page & code',
        summary: 'For operators: what it does.',
        headings: sections,
      },
    ]);
  });

  it('gives headings the ids of GitHub, and escapes text, code and HTML', () => {
    render();
    const html = output('page.html');
    expect(html).toContain('<h2 id="a-code--heading">A <code>code</code> &amp; &quot;heading&quot;</h2>');
    expect(html).toContain('<h2 id="twice-1">Twice</h2>');
    expect(html).toContain('<td>&lt;b&gt;raw&lt;/b&gt;</td><td><code>x &lt; y</code></td>');
    expect(html).toContain('echo &quot;a &lt; b&quot; &amp;&amp; exit');
    expect(html).not.toContain('<h1');
  });

  it('leads links to the paths of the server, and replaces links to files that it does not serve by their text', () => {
    render();
    const html = output('page.html');
    expect(Array.from(html.matchAll(/href="([^"]*)"/g), ([, href]) => href)).toEqual([
      '%BASE_PATH%/docs/other#part',
      '%BASE_PATH%/docs/decisions/0001-one',
      '%BASE_PATH%/docs/decisions',
      '%BASE_PATH%/openapi.json',
      '#a-code--heading',
      'https://example.org/a?b=1&amp;c=2',
    ]);
    expect(html).toContain('a file, ');
    expect(output('decisions.html')).toContain('href="%BASE_PATH%/docs/page"');
  });

  it('renders again only when a page has changed, and removes deleted pages', () => {
    render();
    expect(render()).toMatchObject({ status: 0, stdout: '' });
    appendFileSync(join(root, 'docs/page.md'), '\nAdded.\n');
    rmSync(join(root, 'docs/decisions'), { recursive: true });
    expect(render().stdout).toBe(RENDERED);
    expect(output('page.html')).toContain('<p>Added.</p>');
    expect(() => output('decisions.html')).toThrow('ENOENT');
  });

  it('replaces a plot by its text, and leaves out comments', () => {
    appendFileSync(join(root, 'docs/page.md'), '\n<!-- a mark -->\n\n![Plot of <figures>](images/plot.svg)\n');
    render();
    expect(output('page.html')).toContain('<p><em>Plot of &lt;figures&gt;</em></p>');
    expect(output('page.html')).not.toContain('a mark');
  });

  it('fails on a page with an image, and again until it is removed', () => {
    appendFileSync(join(root, 'docs/page.md'), '\n![Picture](picture.png)\n');
    expect(render().status).toBe(1);
    expect(render().stderr).toContain('docs/page.md has an image');
    write('docs/page.md', PAGE);
    expect(render()).toMatchObject({ status: 0, stdout: RENDERED });
  });
});
