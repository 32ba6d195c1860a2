import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLED = 'Bundling src/web.\n';
const OUTPUTS = [
  '.bundled.json',
  'api-reference-page.css',
  'api-reference-page.js',
  'app-page.js',
  'app.css',
  'graphiql-page.css',
  'graphiql-page.js',
  'invitation-page.js',
  'page.css',
  'reset-password-page.js',
  'start-page.js',
  'verify-email-page.js',
];
const SCRIPT = `
const { bundleWebIfStale } = await import(${JSON.stringify(`file://${ROOT}scripts/set-up/web-bundle.mjs`)});
bundleWebIfStale(process.argv[1]);
`;

/** A copy of the sources of the bundle. */
let root: string;

beforeEach(async () => {
  root = await createTemporaryFolder();
  for (const path of ['src/web', 'scripts/set-up', 'tsconfig.json', 'package-lock.json']) {
    cpSync(ROOT + path, join(root, path), { recursive: true });
  }
  symlinkSync(`${ROOT}node_modules`, join(root, 'node_modules'));
});
afterEach(() => removeFolder(root));

function bundle(): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT, root], { encoding: 'utf8' });
}

const output = (file: string): string => readFileSync(join(root, 'dist/web', file), 'utf8');

describe('bundleWebIfStale', () => {
  it('writes one file for each entry point, and nothing when no source has changed', () => {
    expect(bundle()).toMatchObject({ status: 0, stdout: BUNDLED, stderr: '' });
    expect(readdirSync(join(root, 'dist/web')).sort()).toEqual(OUTPUTS);
    expect(bundle()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('bundles again when a source has changed, and removes files that are no output', () => {
    bundle();
    appendFileSync(join(root, 'src/web/pages/page.css'), '.added { color: red }\n');
    writeFileSync(join(root, 'dist/web/former-page.js'), '');
    expect(bundle().stdout).toBe(BUNDLED);
    expect(output('page.css')).toContain('.added{color:red}');
    expect(readdirSync(join(root, 'dist/web')).sort()).toEqual(OUTPUTS);
  });

  it('fails on a source with a syntax error, and again until it is corrected', () => {
    const source = join(root, 'src/web/pages/outcome.ts');
    const valid = readFileSync(source, 'utf8');
    writeFileSync(source, 'export function {');
    expect(bundle().status).toBe(1);
    expect(bundle().stderr).toContain('src/web/pages/outcome.ts:1');
    writeFileSync(source, valid);
    expect(bundle()).toMatchObject({ status: 0, stdout: BUNDLED });
  });

  it('escapes what would end an inline script', () => {
    appendFileSync(join(root, 'src/web/pages/outcome.ts'), 'console.log("</script>");\n');
    expect(bundle().status).toBe(0);
    expect(output('verify-email-page.js')).toContain(String.raw`<\/script>`);
  });
});
