import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Finding, Suite, SuiteResult } from '../suite.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const SCHEMA = fileURLToPath(new URL('../../../schema/schema.graphql', import.meta.url));
const DOCUMENTS = new URL('../relay/group.graphql', import.meta.url);

/** One for each operation and fragment of the documents, and for each query that `@refetchable` generates. */
const ARTIFACTS = [
  'groupAnswerMutation',
  'groupMembersQuery',
  'groupNewestChangesQuery',
  'groupNodesQuery',
  'groupQuery',
  'groupScoresQuery',
  'groupViewerQuery',
  'group_members',
  'group_newestChanges',
  'group_scores',
];

/** Compiles fragments that a Relay client refetches by `node`, and pages forward, backward and in both directions. */
export const relayCompiler: Suite = {
  name: 'relay-compiler',
  packages: ['relay-compiler'],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'convene-relay-'));
    try {
      return await compile(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function compile(folder: string): Promise<SuiteResult> {
  const compiler = compilerPath();
  if (compiler === null) return result(0, [{ title: 'the compiler', reason: 'has no program for this platform' }]);
  writeProject(folder);
  const output = await run(compiler, ['relay.config.json'], { cwd: folder }).then(() => null, outputOf);
  if (output !== null) return result(0, [{ title: 'compilation', reason: output }]);
  const written = await readdir(join(folder, 'artifacts'));
  const missing = ARTIFACTS.filter((name) => !written.includes(`${name}.graphql.ts`));
  const failed = missing.map((title) => ({ title, reason: 'was not compiled' }));
  return result(ARTIFACTS.length - missing.length, failed);
}

/** The package has a program for each platform, and exports the path of the one for this platform, or null. */
function compilerPath(): string | null {
  const path = require('relay-compiler') as unknown;
  if (typeof path !== 'string') return null;
  try {
    accessSync(path, constants.X_OK);
  } catch {
    // An unpacker may have dropped the mode.
    chmodSync(path, 0o755);
  }
  return path;
}

/** The compiler reads documents from tagged templates, and has all files below one folder. */
function writeProject(folder: string): void {
  for (const name of ['src', 'artifacts']) mkdirSync(join(folder, name));
  copyFileSync(SCHEMA, join(folder, 'schema.graphql'));
  writeFileSync(join(folder, 'src', 'group.ts'), `graphql\`\n${readFileSync(DOCUMENTS, 'utf8')}\`;\n`);
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'typescript',
    artifactDirectory: './artifacts',
    customScalarTypes: { UUID: 'string', DateTime: 'string', EmailAddress: 'string', JSON: 'unknown' },
  };
  writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
}

function outputOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error instanceof Error ? (error as { stdout?: string; stderr?: string }) : {};
  return `${stdout}${stderr}`.trim() || String(error);
}

function result(passed: number, failed: readonly Finding[]): SuiteResult {
  return { passed, failed, expected: [], skipped: [] };
}
