import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Skips the tests, with the reason in their title, when Chromium is not installed. `.ci/run` installs it. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (existsSync(EXECUTABLE)) describe(title, tests);
  else
    describe.skip(
      `${title}, not run: no Chromium at ${EXECUTABLE} (apt-get install chromium, or set CHROMIUM_PATH)`,
      tests,
    );
}

/** Starts Chromium without background requests, so that it connects only to the pages under test. */
export function launchChromium(): Promise<Browser> {
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
  ];
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu', ...quiet] });
}

/** The requests of a page, and its problems: script errors, failed loads and policy violations. */
export interface Observed {
  readonly requests: string[];
  readonly problems: string[];
}

export function observe(page: Page): Observed {
  const observed: Observed = { requests: [], problems: [] };
  page.on('request', (request) => observed.requests.push(`${request.method()} ${request.url()}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') observed.problems.push(message.text());
  });
  page.on('pageerror', (error) => observed.problems.push(error.message));
  return observed;
}
