import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXPECTED_FAILURES } from '../apollo-integration/expected-failures.js';
import { separateFailures } from '../expected-failures.js';
import type { Finding, Suite, SuiteResult } from '../suite.js';

const CONFIG = fileURLToPath(new URL('../apollo-integration/jest.config.js', import.meta.url));
const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');
const COLORS = /\u001b\[\d+m/g;
/** The suite skips these itself, unless it runs with an alpha version of graphql-js 17. */
const NEEDS_GRAPHQL_17 = /tests that require graphql@17|includes all fields with defer/;

/** The tests of an integration of Apollo Server, on its mount in the HTTP server of the product. */
export const apolloIntegration: Suite = {
  name: 'apollo-integration',
  packages: ['@apollo/server-integration-testsuite', '@apollo/server'],
  run: async () => toResult(await runJest()),
};

interface JestTest {
  readonly fullName: string;
  readonly status: 'passed' | 'failed' | 'pending' | 'todo';
  readonly failureMessages: readonly string[];
}

interface JestFile {
  /** Why the file could not run. */
  readonly message: string;
  readonly assertionResults: readonly JestTest[];
}

async function runJest(): Promise<readonly JestFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-conformance-'));
  try {
    const output = join(folder, 'results.json');
    await runToEnd(['--experimental-vm-modules', JEST, '--config', CONFIG, '--json', '--outputFile', output]);
    return (JSON.parse(await readFile(output, 'utf8')) as { readonly testResults: readonly JestFile[] }).testResults;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Whatever its exit code, which is 1 for every expected failure. */
function runToEnd(args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: Infinity }, () => {
      resolve();
    });
  });
}

function toResult(files: readonly JestFile[]): SuiteResult {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ status }) => status === 'pending' || status === 'todo');
  const failures = [
    ...tests.filter(({ status }) => status === 'failed').map(toFailure),
    ...skipped.filter(({ fullName }) => !NEEDS_GRAPHQL_17.test(fullName)).map(unknownSkip),
    ...files.filter(({ assertionResults }) => assertionResults.length === 0).map(brokenFile),
  ];
  return {
    ...separateFailures(failures, EXPECTED_FAILURES),
    passed: tests.filter(({ status }) => status === 'passed').length,
    skipped: skipped
      .filter(({ fullName }) => NEEDS_GRAPHQL_17.test(fullName))
      .map(({ fullName }) => ({
        title: fullName,
        reason: 'The suite runs it with an alpha version of graphql-js 17.',
      })),
  };
}

function toFailure({ fullName, failureMessages }: JestTest): Finding {
  return { title: fullName, reason: failureMessages.join('\n').replaceAll(COLORS, '') };
}

function unknownSkip({ fullName }: JestTest): Finding {
  return { title: fullName, reason: 'the suite skipped it for an unknown reason' };
}

function brokenFile({ message }: JestFile): Finding {
  return { title: 'the file of the suite', reason: message.replaceAll(COLORS, '') };
}
