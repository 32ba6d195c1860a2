/**
 * Runs suites, contract testers and clients of other projects against the compiled service.
 *
 *   npm run conformance                         every suite
 *   npm run conformance -- --only graphql-http  one suite
 *   npm run conformance -- --details            also prints expected failures and skips, each with its reason
 *   npm run conformance -- --json counts.json   also writes the total to a file
 *
 * The exit code is 1 when a suite has a failure that is not expected, and with `TEST_PROGRAMS=required` also when a
 * suite could not run.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeSuite, describeTotal, totalOf, type FinishedSuite } from './report.js';
import { withServices } from './services.js';
import type { Services, Suite, SuiteResult } from './suite.js';
import { SUITES } from './suites.js';

const { values } = parseArgs({
  options: { only: { type: 'string' }, details: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const suites = selectSuites(values.only);
const finished = await withServices(runAll);
const total = totalOf(finished);
console.log(describeTotal(total));
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(total));
const mayMissPrograms = process.env.TEST_PROGRAMS !== 'required';
process.exitCode = total.failed > 0 || (total.notRun > 0 && !mayMissPrograms) ? 1 : 0;

function selectSuites(name: string | undefined): readonly Suite[] {
  const selected = SUITES.filter((suite) => name === undefined || suite.name === name);
  if (selected.length > 0) return selected;
  throw new Error(`There is no suite ${String(name)}: ${SUITES.map((suite) => suite.name).join(', ')}`);
}

async function runAll(services: Services): Promise<FinishedSuite[]> {
  const results: FinishedSuite[] = [];
  for (const suite of suites) {
    const result = await runSuite(suite, services);
    console.log(describeSuite(result, values.details));
    results.push(result);
  }
  return results;
}

async function runSuite(suite: Suite, services: Services): Promise<FinishedSuite> {
  const start = performance.now();
  const result = await suite.run(services).catch(resultOfError);
  return { suite, result, seconds: (performance.now() - start) / 1_000 };
}

function resultOfError(error: unknown): SuiteResult {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { passed: 0, expected: [], skipped: [], failed: [{ title: 'the suite itself', reason }] };
}
