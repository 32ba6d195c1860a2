import type { Figures, Summary } from './figures.js';
import { CONNECTIONS } from './results.js';
import { boundText, NOT_MEASURED, numberText, spreadText, type Table } from './texts.js';
import type { Outcome, Verdict } from './verdicts.js';

const OUTCOME_MARKS: Readonly<Record<Outcome, string>> = {
  met: 'met',
  'misses its aim': '(!) misses its aim',
  'misses its must': '(!!) MISSES ITS MUST',
  'not measured': NOT_MEASURED,
};

export function targetTable(verdicts: readonly Verdict[]): Table {
  return {
    head: ['target', 'measured', 'must', 'aim', 'outcome'],
    rows: verdicts
      .filter(({ outcome }) => outcome !== 'not measured')
      .map(({ target, value, outcome }) => [
        target.what,
        spreadText(value, target.digits) + target.unit,
        boundText(target, target.must),
        boundText(target, target.aim),
        OUTCOME_MARKS[outcome],
      ]),
  };
}

export function operationTable(figures: Figures): Table {
  return {
    head: [
      'operation',
      'program',
      'requests/s',
      'throughput × reference (spread)',
      'processor time × reference (spread)',
      'µs of the program',
      'µs of PostgreSQL',
      'µs of the load generator',
      'median, ms',
      '99th percentile, ms',
    ],
    rows: figures
      .summaries(CONNECTIONS)
      .map((summary) => [
        summary.operation,
        summary.subject,
        numberText(summary.perSecond.median, 0),
        ratioText(summary, summary.throughputRatio),
        ratioText(summary, summary.processorRatio),
        numberText(summary.serviceMicros, 0),
        numberText(summary.postgresMicros, 0),
        numberText(summary.loadMicros, 0),
        numberText(summary.p50, 1),
        numberText(summary.p99, 1),
      ]),
  };
}

function ratioText({ subject }: Summary, ratio: Summary['throughputRatio']): string {
  return subject === 'reference' ? '1' : spreadText(ratio, 2);
}

export function latencyTable(figures: Figures): Table {
  return {
    head: ['operation', 'program', 'median, ms', 'median × reference (spread)', '99th percentile, ms'],
    rows: figures
      .summaries(1)
      .map((summary) => [
        summary.operation,
        summary.subject,
        numberText(summary.p50, 2),
        ratioText(summary, summary.latencyRatio),
        numberText(summary.p99, 2),
      ]),
  };
}

export function floodTable({ results: { floods } }: Figures): Table {
  return {
    head: ['program', 'round', 'idle, ms', 'during a flood of logins, ms', 'ratio'],
    rows: floods.map(({ subject, round, idleP99, floodP99 }) => [
      subject,
      String(round),
      numberText(idleP99, 2),
      numberText(floodP99, 2),
      numberText(floodP99 / idleP99, 1),
    ]),
  };
}

export function processTable({ results: { processes } }: Figures): Table {
  return {
    head: ['program', 'start to the first answer, ms', 'memory idle, MiB', 'after the load, MiB', 'peak, MiB'],
    rows: processes.map(({ subject, startMs, idleMiB, afterLoadMiB, peakMiB }) => [
      subject,
      startMs.join(', '),
      String(idleMiB),
      String(afterLoadMiB),
      String(peakMiB),
    ]),
  };
}
