import { Figures } from './figures.js';
import { CONNECTIONS, type Measurement, type MissingSubject, type Results } from './results.js';
import { shortfallText } from './shortfalls.js';
import { floodTable, latencyTable, operationTable, processTable, targetTable } from './tables.js';
import { markdownTable, numberText, type Table } from './texts.js';
import { verdictsOn, type Verdict } from './verdicts.js';

export const START = '<!-- comparison: printed by npm run bench -- --store -->';
export const END = '<!-- end of comparison -->';

/** One part of the report. */
export interface Section {
  readonly title: string;
  readonly content: string | Table;
}

/** The parts of the report, the same for the page and for the terminal. */
export function sectionsOf(results: Results): Section[] {
  const figures = new Figures(results);
  const verdicts = verdictsOn(figures);
  const sections: Section[] = [
    { title: 'Targets', content: targetTable(verdicts) },
    { title: 'Shortfalls', content: shortfallText(verdicts) },
    { title: `Operations at ${String(CONNECTIONS)} connections`, content: operationTable(figures) },
    { title: 'Latency at 1 connection', content: latencyTable(figures) },
    { title: '99th percentile of me during logins', content: floodTable(figures) },
    { title: 'Start and memory', content: processTable(figures) },
    { title: 'Programs', content: programText(results) },
  ];
  const absent = [...results.missing.map(missingText), ...unmeasuredText(verdicts)].join('\n');
  return [...sections, { title: 'Not measured', content: absent }].filter(({ content }) => !isEmpty(content));
}

function isEmpty(content: Section['content']): boolean {
  return typeof content === 'string' ? content === '' : content.rows.length === 0;
}

function unmeasuredText(verdicts: readonly Verdict[]): string[] {
  const targets = verdicts.filter(({ outcome }) => outcome === 'not measured').map(({ target }) => target.what);
  return targets.length === 0 ? [] : [`- Targets: ${targets.join('; ')}`];
}

export function conditionsOf({ measuredAt, node, postgres, processor, rounds, seconds, ...results }: Results): string {
  return (
    `Measured on ${measuredAt.slice(0, 10)}: Node ${node}, PostgreSQL ${postgres}, processor ${processor}, shared by ` +
    `programs, PostgreSQL and load generator. ${loadText(results.measurements)} ${String(rounds)} interleaved rounds ` +
    `of ${numberText(seconds, 1)} s. Settings of the service: ${settingsText(results.settings)}.`
  );
}

/** Near 100 % of a core, the load generator would be measured. */
function loadText(measurements: readonly Measurement[]): string {
  const shares = measurements.map(({ perSecond, loadMicros }) => (perSecond * loadMicros) / 1e6);
  return `The load generator used at most ${numberText(Math.max(0, ...shares) * 100, 0)} % of one core.`;
}

/** The section of `docs/performance.md`. @param plot path of the plot, relative to the page */
export function comparisonPage(results: Results, plot: string): string {
  const image = `![Throughput and processor time per request beside the reference](${plot})`;
  const sections = sectionsOf(results).flatMap(({ title, content }) => [
    `### ${title}`,
    typeof content === 'string' ? content : markdownTable(content),
  ]);
  return [conditionsOf(results), image, ...sections].join('\n\n');
}

/** @returns the page with its section between the marks replaced @throws Error when the page has no such section */
export function withComparison(page: string, comparison: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error('docs/performance.md has no section for the comparison');
  return `${page.slice(0, start + START.length)}\n\n${comparison}\n\n${page.slice(end)}`;
}

function settingsText(settings: Results['settings']): string {
  return Object.entries(settings)
    .map(([name, value]) => `\`${name}=${value}\``)
    .join(', ');
}

function programText({ descriptions }: Results): string {
  return Object.entries(descriptions)
    .map(([name, description]) => `- ${name}: ${description}`)
    .join('\n');
}

function missingText({ subject, operation, reason }: MissingSubject): string {
  return `- ${subject}${operation === null ? '' : `, ${operation}`}: ${reason}`;
}
