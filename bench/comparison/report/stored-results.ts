import { readFile, writeFile } from 'node:fs/promises';
import { BenchError } from '../bench-error.js';
import { Figures } from './figures.js';
import { comparisonPage, withComparison } from './page.js';
import { plotOf } from './plot.js';
import type { Results } from './results.js';

const STORED = new URL('../results.json', import.meta.url);
const PAGE = new URL('../../../docs/performance.md', import.meta.url);
const PLOT = new URL('../../../docs/images/comparison.svg', import.meta.url);
/** Relative to the page. */
const PLOT_PATH = 'images/comparison.svg';

/** Writes the results, the section of `docs/performance.md`, and the plot. */
export async function storeResults(results: Results): Promise<void> {
  await writeFile(STORED, serialized(results));
  await renderPage(results);
}

export async function loadResults(): Promise<Results> {
  const text = await readFile(STORED, 'utf8').catch((error: unknown) => {
    throw new BenchError('No results are stored. `npm run bench -- --store` stores them', { cause: error });
  });
  return JSON.parse(text) as Results;
}

export async function renderPage(results: Results): Promise<void> {
  await writeFile(PLOT, plotOf(new Figures(results)));
  await writeFile(PAGE, withComparison(await readFile(PAGE, 'utf8'), comparisonPage(results, PLOT_PATH)));
}

/** One measurement a line, so that a change of the file can be read. */
function serialized(results: Results): string {
  const entries = Object.entries(results).map(([name, value]: [string, unknown]) =>
    Array.isArray(value) && value.length > 0
      ? `  ${JSON.stringify(name)}: [\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`
      : `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${entries.join(',\n')}\n}\n`;
}
