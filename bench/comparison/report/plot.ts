import { isOurs, type Figures, type Spread, type Summary } from './figures.js';
import { LogScale } from './log-scale.js';
import { CONNECTIONS, REFERENCE } from './results.js';

const WIDTH = 940;
const LABEL_END = 196;
const TOP = 64;
const ROW = 18;
const HEADING = 26;
const BOTTOM = 34;

interface Panel {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly read: (summary: Summary) => Spread | null;
}

const PANELS: readonly Panel[] = [
  {
    title: 'Throughput, multiple of the reference',
    start: 216,
    end: 504,
    read: ({ throughputRatio }) => throughputRatio,
  },
  {
    title: 'Processor time, multiple of the reference',
    start: 592,
    end: 880,
    read: ({ processorRatio }) => processorRatio,
  },
];

/** Colours for light and dark pages. Programs of other projects are also hollow, so that colour is not needed. */
const STYLE = `
    text { font: 12px system-ui, sans-serif; fill: #1f2328; }
    .heading { font-weight: 600; }
    .small { font-size: 11px; fill: #59636e; }
    .grid { stroke: #d1d9e0; stroke-width: 1; }
    .one { stroke: #59636e; stroke-width: 1.5; }
    .ours { fill: #0969da; stroke: #0969da; stroke-width: 1.5; }
    .peer { fill: none; stroke: #9a6700; stroke-width: 1.5; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .small { fill: #9198a1; }
      .grid { stroke: #3d444d; }
      .one { stroke: #9198a1; }
      .ours { fill: #4493f8; stroke: #4493f8; }
      .peer { stroke: #d29922; }
    }`;

interface Row {
  readonly y: number;
  /** Null: the heading of an operation. */
  readonly summary: Summary | null;
  readonly label: string;
}

/** The plot of the results as SVG: the same text for the same results. */
export function plotOf(figures: Figures): string {
  const rows = rowsOf(figures.summaries(CONNECTIONS).filter(({ subject }) => subject !== REFERENCE));
  const end = (rows.at(-1)?.y ?? TOP) + ROW;
  const size = `width="${String(WIDTH)}" height="${String(end + BOTTOM)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${String(WIDTH)} ${String(end + BOTTOM)}" ` +
      'role="img" aria-labelledby="title description">',
    '  <title id="title">Throughput and processor time per request beside the reference</title>',
    `  <desc id="description">${escaped(descriptionOf(rows))}</desc>`,
    `  <style>${STYLE}\n  </style>`,
    legend(),
    ...rows.map(labelOf),
    ...PANELS.flatMap((panel) => panelLines(panel, rows, end)),
    '</svg>',
    '',
  ].join('\n');
}

function rowsOf(summaries: readonly Summary[]): Row[] {
  const rows: Row[] = [];
  let y = TOP;
  for (const [index, summary] of summaries.entries()) {
    if (summary.operation !== summaries[index - 1]?.operation) {
      rows.push({ y: y + HEADING - ROW / 2, summary: null, label: summary.operation });
      y += HEADING;
    }
    rows.push({ y: y + ROW / 2, summary, label: summary.subject });
    y += ROW;
  }
  return rows;
}

function descriptionOf(rows: readonly Row[]): string {
  const texts = rows.flatMap(({ summary }) =>
    summary === null || !isOurs(summary.subject)
      ? []
      : [
          `${summary.operation}, ${summary.subject}: throughput ${ratioText(summary.throughputRatio)}, ` +
            `processor time ${ratioText(summary.processorRatio)}`,
        ],
  );
  return `Multiples of the reference, medians with the lowest and highest round. ${texts.join('; ')}.`;
}

function ratioText(spread: Spread | null): string {
  return spread === null ? 'not measured' : shortText(spread.median);
}

/** Two digits that count. */
function shortText(value: number): string {
  return value >= 10 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2);
}

function legend(): string {
  return [
    '  <circle class="ours" cx="216" cy="16" r="4.5"/>',
    text(226, 20, 'the service'),
    '  <circle class="peer" cx="316" cy="16" r="4.5"/>',
    text(326, 20, 'other programs'),
    '  <line class="one" x1="436" y1="8" x2="436" y2="24"/>',
    text(444, 20, 'the reference. A line through a mark: lowest to highest round. Logarithmic axes'),
  ].join('\n');
}

function labelOf({ y, summary, label }: Row): string {
  return summary === null
    ? text(12, y + 4, label, 'heading')
    : text(LABEL_END, y + 4, label.replace('convene ', ''), 'label', 'end');
}

function panelLines({ title, start, end, read }: Panel, rows: readonly Row[], bottom: number): string[] {
  const points = rows.flatMap(({ y, summary }) => {
    const spread = summary === null ? null : read(summary);
    return summary === null || spread === null ? [] : [{ y, summary, spread }];
  });
  const scale = new LogScale(
    points.flatMap(({ spread }) => [spread.low, spread.high]),
    start,
    end,
  );
  return [
    text(start, 40, title, 'heading'),
    text(end + 44, 40, 'median', 'small', 'end'),
    ...scale.marks().flatMap((mark) => markLines(scale.positionOf(mark), mark, bottom)),
    ...points.map(({ y, summary, spread }) => pointLines(scale, y, summary.subject, spread)),
  ];
}

function markLines(x: number, mark: number, bottom: number): string[] {
  const line = `  <line class="${mark === 1 ? 'one' : 'grid'}" x1="${fixed(x)}" y1="${String(TOP)}" `;
  return [
    `${line}x2="${fixed(x)}" y2="${String(bottom)}"/>`,
    text(x, TOP - 5, `${String(mark)}×`, 'small', 'middle'),
    text(x, bottom + 15, `${String(mark)}×`, 'small', 'middle'),
  ];
}

function pointLines(scale: LogScale, y: number, subject: string, { low, median, high }: Spread): string {
  const kind = isOurs(subject) ? 'ours' : 'peer';
  const [from, at, to] = [low, median, high].map((value) => scale.positionOf(value));
  return [
    `  <line class="${kind}" x1="${fixed(from ?? 0)}" y1="${fixed(y)}" x2="${fixed(to ?? 0)}" y2="${fixed(y)}"/>`,
    `  <circle class="${kind}" cx="${fixed(at ?? 0)}" cy="${fixed(y)}" r="4.5"/>`,
    text(scale.end + 44, y + 4, shortText(median), 'small', 'end'),
  ].join('\n');
}

function text(x: number, y: number, content: string, kind = 'label', anchor = 'start'): string {
  return `  <text class="${kind}" x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
