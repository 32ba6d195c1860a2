import { conditionsOf, sectionsOf } from './page.js';
import type { Results } from './results.js';
import { plainTable } from './texts.js';

export function printResults(results: Results): void {
  console.log(`\n${conditionsOf(results)}`);
  for (const { title, content } of sectionsOf(results))
    console.log(`\n${title}\n\n${typeof content === 'string' ? content : plainTable(content)}`);
}
