import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CHROMIUM_PATH } from './launch-chromium.js';

/** Skips the tests, with the reason in their title, when Chromium is not installed. `.ci/run` installs it. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (existsSync(CHROMIUM_PATH)) describe(title, tests);
  else
    describe.skip(
      `${title}, not run: no Chromium at ${CHROMIUM_PATH} (apt-get install chromium, or set CHROMIUM_PATH)`,
      tests,
    );
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
