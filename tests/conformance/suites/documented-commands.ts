import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding, Suite } from '../suite.js';

const run = promisify(execFile);
/** A stream ends after this time. */
const MAX_SECONDS = 10;
/** The exit code of curl when that time has passed. */
const TIMED_OUT = 28;
const END = '--end-of-block--';

interface Block {
  readonly title: string;
  readonly text: string;
}

/**
 * Runs every shell block with curl of the README and of the documentation, as written and in one shell, which a reader
 * would use too. curl connects to the service under test instead of port 4000.
 */
export const documentedCommands: Suite = {
  name: 'documented commands',
  packages: [],
  async run({ yoga }) {
    const folder = await mkdtemp(join(tmpdir(), 'convene-commands-'));
    try {
      await writeFile(join(folder, '.curlrc'), curlSettings(yoga.url));
      const blocks = await findBlocks();
      const findings = await runBlocks(blocks, folder);
      const failed = findings.filter((finding) => finding !== null);
      return { passed: blocks.length - failed.length, failed, expected: [], skipped: [] };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** An HTTP error is a failure of curl. */
function curlSettings(url: string): string {
  const { host } = new URL(url);
  return [`connect-to = "localhost:4000:${host}"`, 'fail-with-body', 'silent', `max-time = ${MAX_SECONDS}`].join('\n');
}

async function findBlocks(): Promise<Block[]> {
  const pages = (await readdir('docs')).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
  const blocks = await Promise.all(['README.md', ...pages.toSorted()].map(findBlocksOf));
  return blocks.flat();
}

async function findBlocksOf(page: string): Promise<Block[]> {
  const matches = (await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```$/gms);
  return Array.from(matches, ([, text = ''], index) => ({ title: `${page}, block ${String(index + 1)}`, text })).filter(
    ({ text }) => /^\s*(?:\w+=\$\()?curl /m.test(text),
  );
}

/** Runs all blocks in one shell, and prints the exit code of each command that fails. */
async function runBlocks(blocks: readonly Block[], folder: string): Promise<(Finding | null)[]> {
  const trap = `trap 'code=$?; [ $code = ${String(TIMED_OUT)} ] || echo "exit code $code: $BASH_COMMAND"' ERR`;
  const script = [trap, ...blocks.map(({ text }) => `${text}\necho; echo '${END}'`)].join('\n');
  const { stdout } = await run('bash', ['-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], CURL_HOME: folder, HOME: folder },
    maxBuffer: 16_777_216,
  });
  const outputs = stdout.split(END);
  return blocks.map(({ title }, index) => findFailure(title, outputs[index] ?? 'no output'));
}

function findFailure(title: string, output: string): Finding | null {
  const hasFailed = output.trim() === '' || /exit code \d+|"errors":/.test(output);
  return hasFailed ? { title, reason: output.trim().slice(0, 1_000) } : null;
}
