/** Figures as text, and tables. */
import type { Spread } from './figures.js';
import type { Target } from './targets.js';

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const NOT_MEASURED = '–';

/** @returns `1.20 (1.10–1.30)`, without the spread when all rounds are equal */
export function spreadText(spread: Spread | null, digits: number): string {
  if (spread === null) return NOT_MEASURED;
  const [median, low, high] = [spread.median, spread.low, spread.high].map((value) => numberText(value, digits));
  return low === high ? (median ?? '') : `${median ?? ''} (${low ?? ''}–${high ?? ''})`;
}

export function numberText(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @returns `≥ 2,000/s` */
export function boundText({ bound, unit }: Target, limit: number | null): string {
  return limit === null
    ? NOT_MEASURED
    : `${bound === 'at most' ? '≤' : '≥'} ${limit.toLocaleString('en-US', { maximumFractionDigits: 2 })}${unit}`;
}

export function markdownTable({ head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Columns of equal width, for a terminal. */
export function plainTable({ head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
