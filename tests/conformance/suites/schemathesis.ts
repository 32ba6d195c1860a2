import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRestFixture, type RestFixture } from '../rest/rest-fixture.js';
import { runProgram } from '../rest/run-program.js';
import { EXCEPTIONS } from '../rest/schemathesis-exceptions.js';
import { readSchemathesisReport, type FailedCheck, type SchemathesisReport } from '../rest/schemathesis-report.js';
import type { Finding, Suite, SuiteResult } from '../suite.js';

const PROGRAM = 'schemathesis';
const REQUIREMENTS = 'tests/conformance/requirements.txt';
/** Of each operation. */
const EXAMPLES = 200;
/** The same requests in every run, so that a new failure belongs to a change. */
const SEED = '1';
const PUBLIC_PATHS = '/auth/(register|token|revoke)$';
/** Has no other parameter than the token, so that the requests of a member hardly differ. */
const PROFILE_PATH = '/api/auth/me';

/**
 * Generates requests from the OpenAPI document, valid and invalid ones, with and without a token, and checks the
 * responses against it. `SCHEMATHESIS_SEED` generates others.
 */
export const schemathesis: Suite = {
  name: 'schemathesis',
  packages: [],
  async run({ yoga }) {
    const missing = await findMissingProgram();
    if (missing !== null) return { passed: 0, failed: [], expected: [], skipped: [], notRun: missing };
    const seed = process.env['SCHEMATHESIS_SEED'] ?? SEED;
    const member = configurationOfMember(await createRestFixture(yoga));
    const reports = await Promise.all([
      runSchemathesis(yoga.url, '', ['--seed', seed, '--include-path-regex', PUBLIC_PATHS]),
      runSchemathesis(yoga.url, member, ['--seed', seed, '--exclude-path-regex', PUBLIC_PATHS]),
      runSchemathesis(yoga.url, '', ['--seed', seed, '--include-path', PROFILE_PATH]),
    ]);
    const cases = reports.reduce((sum, report) => sum + report.cases, 0);
    console.log(`schemathesis: ${String(cases)} requests, SCHEMATHESIS_SEED=${seed}`);
    return toResult(reports);
  },
};

function toResult(reports: readonly SchemathesisReport[]): SuiteResult {
  const failures = reports.flatMap(({ failed }) => failed);
  return {
    passed: reports.reduce((sum, { held }) => sum + held, 0),
    failed: [...unexplained(failures), ...reports.flatMap(errorsOf)],
    expected: explained(failures),
    skipped: [],
  };
}

/** @returns what is missing, or null when the pinned version is installed */
async function findMissingProgram(): Promise<string | null> {
  const wanted = (await readFile(REQUIREMENTS, 'utf8')).trim().replace('==', ' ');
  const installed = await runProgram(PROGRAM, ['--version']).then(
    ({ output }) => output,
    () => '',
  );
  const version = wanted.split(' ')[1] ?? '';
  return version !== '' && installed.trim().endsWith(` ${version}`)
    ? null
    : `${wanted} is not installed (pip install -r ${REQUIREMENTS})`;
}

/** A member calls with their own ids, so that requests reach what they address. */
function configurationOfMember({ guest, groupId }: RestFixture): string {
  return [
    `headers = { Authorization = "Bearer ${guest.token}" }`,
    '[parameters]',
    `"path.group_id" = "${groupId}"`,
    `"path.user_id" = "${guest.id}"`,
  ].join('\n');
}

async function runSchemathesis(
  url: string,
  configuration: string,
  options: readonly string[],
): Promise<SchemathesisReport> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-schemathesis-'));
  const [file, report] = [join(folder, 'schemathesis.toml'), join(folder, 'report.ndjson')];
  await writeFile(file, configuration);
  const { code, output } = await runProgram(
    PROGRAM,
    [
      ...['--config-file', file, 'run', `${url}/openapi.json`, '--url', url, '--checks', 'all', '--mode', 'all'],
      ...options,
      ...['--max-examples', String(EXAMPLES), '--continue-on-failure', '--no-shrink', '--no-color'],
      ...['--generation-database', 'none', '--output-sanitize', 'false', '--report-ndjson-path', report],
    ],
    { cwd: folder, environment: { HOME: folder } },
  );
  try {
    return await readSchemathesisReport(report);
  } catch (cause) {
    throw new Error(`Schemathesis ended with code ${String(code)}:\n${output}`, { cause });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function unexplained(failures: readonly FailedCheck[]): Finding[] {
  return failures
    .filter((failure) => !EXCEPTIONS.some(({ matches }) => matches(failure)))
    .map(({ operation, check, message, status, body }) => ({
      title: `${operation}: ${check}`,
      reason: `${message}\n${String(status)} ${body}`,
    }));
}

/** Returns each exception that has matched, with its number of requests. */
function explained(failures: readonly FailedCheck[]): Finding[] {
  return EXCEPTIONS.flatMap(({ title, reason, matches }) => {
    const count = failures.filter(matches).length;
    return count === 0 ? [] : [{ title: `${title} (${String(count)} requests)`, reason }];
  });
}

function errorsOf({ errors, isComplete }: SchemathesisReport): Finding[] {
  const found = errors.map((reason) => ({ title: 'an error of Schemathesis', reason }));
  return isComplete ? found : [...found, { title: 'the run', reason: 'Schemathesis did not complete it' }];
}
