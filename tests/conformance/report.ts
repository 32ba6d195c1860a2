import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Finding, Suite, SuiteResult } from './suite.js';

const NAME_WIDTH = 22;
const require = createRequire(import.meta.url);

export interface FinishedSuite {
  readonly suite: Suite;
  readonly result: SuiteResult;
  readonly seconds: number;
}

/** Returns the line of a suite, and below it what was not expected; with `details`, also what was. */
export function describeSuite({ suite, result, seconds }: FinishedSuite, details: boolean): string {
  const outcome = result.notRun === undefined ? describeCounts(countsOf(result)) : `not run: ${result.notRun}`;
  const versions = suite.packages.map(versionOf).join(', ');
  return [
    `${suite.name.padEnd(NAME_WIDTH)} ${outcome}, ${seconds.toFixed(1)} s (${versions})`,
    ...result.failed.map((finding) => describeFinding('FAILED', finding)),
    ...(details ? result.expected.map((finding) => describeFinding('expected', finding)) : []),
    ...(details ? result.skipped.map((finding) => describeFinding('skipped', finding)) : []),
  ].join('\n');
}

interface Counts {
  readonly passed: number;
  readonly expected: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface Total extends Counts {
  /** The number of suites that could not run. */
  readonly notRun: number;
  readonly seconds: number;
}

export function totalOf(finished: readonly FinishedSuite[]): Total {
  const counts = finished.map(({ result }) => countsOf(result));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    passed: sum(counts.map(({ passed }) => passed)),
    expected: sum(counts.map(({ expected }) => expected)),
    skipped: sum(counts.map(({ skipped }) => skipped)),
    failed: sum(counts.map(({ failed }) => failed)),
    notRun: finished.filter(({ result }) => result.notRun !== undefined).length,
    seconds: sum(finished.map(({ seconds }) => seconds)),
  };
}

/** Returns the line of all suites together. */
export function describeTotal(total: Total): string {
  const notRun = total.notRun === 0 ? '' : `, ${String(total.notRun)} suites not run`;
  return `${'total'.padEnd(NAME_WIDTH)} ${describeCounts(total)}${notRun}, ${total.seconds.toFixed(1)} s`;
}

function countsOf({ passed, expected, skipped, failed }: SuiteResult): Counts {
  return { passed, expected: expected.length, skipped: skipped.length, failed: failed.length };
}

function describeCounts({ passed, expected, skipped, failed }: Counts): string {
  return (
    `${String(passed)} passed, ${String(expected)} expected failures, ` +
    `${String(skipped)} skipped, ${String(failed)} failed`
  );
}

function describeFinding(kind: string, { title, reason }: Finding): string {
  return `  ${kind} ${title}\n    ${reason.replaceAll('\n', '\n    ')}`;
}

/** Searches the packages of the suites before those of the product. */
function versionOf(name: string): string {
  const { version } = require(packageFile(name)) as { readonly version: string };
  return `${name} ${version}`;
}

/** Not `name/package.json`, which many packages do not export. */
function packageFile(name: string): string {
  const path = require.resolve.paths(name)?.map((folder) => `${folder}/${name}/package.json`);
  return path?.find((file) => existsSync(file)) ?? `${name}/package.json`;
}
