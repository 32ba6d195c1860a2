import { readFile, writeFile } from 'node:fs/promises';
import { median } from '../measure.js';
import { OPERATIONS, type Operation } from './subject.js';
import type { MissingSubject } from './subjects.js';

export interface Measurement {
  readonly operation: Operation;
  readonly round: number;
  readonly subject: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time for each request. */
  readonly serviceMicros: number;
  readonly postgresMicros: number;
}

export interface StartFigures {
  readonly name: string;
  readonly port: number;
  readonly startMs: number;
  readonly idleMiB: number;
  readonly peakMiB: number;
}

export interface Results {
  readonly measuredAt: string;
  readonly node: string;
  readonly postgres: string;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly starts: readonly StartFigures[];
  readonly measurements: readonly Measurement[];
  readonly missing: readonly MissingSubject[];
}

/** Figures of one subject and operation over all rounds. */
interface Summary {
  readonly operation: Operation;
  readonly subject: string;
  readonly perSecond: number;
  /** Throughput, as a multiple of the reference in the same round. */
  readonly ratio: number;
  readonly ratioSpread: readonly [number, number];
  /** Processor time for each request, as a multiple of the reference in the same round. */
  readonly processorRatio: number;
  readonly serviceMicros: number;
  readonly postgresMicros: number;
  readonly p50: number;
  readonly p99: number;
}

const REFERENCE = 'reference';
const START = '<!-- comparison: printed by npm run bench -- --store -->';
const END = '<!-- end of comparison -->';

function summarize({ measurements }: Results): Summary[] {
  return OPERATIONS.flatMap((operation) => {
    const ofOperation = measurements.filter((measurement) => measurement.operation === operation);
    const names = [...new Set(ofOperation.map(({ subject }) => subject))];
    return names.map((subject) => summarizeSubject(operation, subject, ofOperation));
  });
}

function summarizeSubject(operation: Operation, subject: string, measurements: readonly Measurement[]): Summary {
  const own = measurements.filter((measurement) => measurement.subject === subject);
  const reference = (round: number) =>
    measurements.find((other) => other.subject === REFERENCE && other.round === round);
  const ratios = own.map(({ perSecond, round }) => perSecond / (reference(round)?.perSecond ?? Number.NaN));
  const medianOf = (read: (measurement: Measurement) => number): number => median(own.map(read));
  return {
    operation,
    subject,
    perSecond: medianOf(({ perSecond }) => perSecond),
    ratio: median(ratios),
    ratioSpread: [Math.min(...ratios), Math.max(...ratios)],
    processorRatio: medianOf(
      ({ serviceMicros, round }) => serviceMicros / (reference(round)?.serviceMicros ?? Number.NaN),
    ),
    serviceMicros: medianOf(({ serviceMicros }) => serviceMicros),
    postgresMicros: medianOf(({ postgresMicros }) => postgresMicros),
    p50: medianOf(({ p50 }) => p50),
    p99: medianOf(({ p99 }) => p99),
  };
}

function tableOf(results: Results): string {
  const rows = summarize(results).map(
    (row) =>
      `| ${row.operation} | ${row.subject} | ${row.perSecond.toFixed(0)} | ${row.ratio.toFixed(2)} ` +
      `(${row.ratioSpread.map((ratio) => ratio.toFixed(2)).join('–')}) | ${row.processorRatio.toFixed(2)} | ` +
      `${String(row.serviceMicros)} | ${String(row.postgresMicros)} | ${row.p50.toFixed(1)} | ${row.p99.toFixed(1)} |`,
  );
  return [
    '| operation | program | requests/s | of the reference (spread) | processor time, of the reference | µs of the ' +
      'program | µs of PostgreSQL | median, ms | 99th percentile, ms |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function startTableOf({ starts }: Results): string {
  return [
    '| program | start to the first answer | memory idle | memory peak |',
    '|---|---|---|---|',
    ...starts.map(
      ({ name, startMs, idleMiB, peakMiB }) =>
        `| ${name} | ${String(startMs)} ms | ${String(idleMiB)} MiB | ${String(peakMiB)} MiB |`,
    ),
  ].join('\n');
}

function reportOf(results: Results): string {
  const { measuredAt, node, postgres, connections, rounds, seconds, missing } = results;
  const conditions =
    `Measured on ${measuredAt.slice(0, 10)}: Node ${node}, PostgreSQL ${postgres}, ${String(connections)} ` +
    `connections, ${String(rounds)} interleaved rounds of ${String(seconds)} s.`;
  const absent = missing.map(({ name, reason }) => `- Not measured: ${name}. ${reason}`);
  return [conditions, tableOf(results), startTableOf(results), ...absent].join('\n\n');
}

export function printTable(results: Results): void {
  console.log(`\n${reportOf(results)}`);
}

/** Replaces the section of `docs/performance.md` between the two marks. */
export async function storeReport(results: Results): Promise<void> {
  const page = new URL('../../docs/performance.md', import.meta.url);
  const text = await readFile(page, 'utf8');
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < 0) throw new Error('docs/performance.md has no section for the comparison');
  await writeFile(page, `${text.slice(0, start + START.length)}\n\n${reportOf(results)}\n\n${text.slice(end)}`);
}
