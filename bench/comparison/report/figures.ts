import { median } from '../../measure.js';
import { OPERATIONS, type Operation } from '../exchanges/exchange.js';
import { CONNECTIONS, REFERENCE, type Measurement, type ProcessFigures, type Results } from './results.js';

/** Median over the rounds, and the lowest and highest round. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** One subject and operation over all rounds. */
export interface Summary {
  readonly operation: Operation;
  readonly subject: string;
  readonly perSecond: Spread;
  /** Multiples of the reference in the same round. Null without a reference. */
  readonly throughputRatio: Spread | null;
  readonly processorRatio: Spread | null;
  readonly latencyRatio: Spread | null;
  /** Microseconds for each request. */
  readonly serviceMicros: number;
  readonly postgresMicros: number;
  readonly loadMicros: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** @returns null for no values */
export function spreadOf(values: readonly number[]): Spread | null {
  return values.length === 0 ? null : { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** Reads the figures of the targets, the tables and the plot from stored results. */
export class Figures {
  readonly results: Results;

  constructor(results: Results) {
    this.results = results;
  }

  /** In the order of the operations, and of the subjects as they were measured. */
  summaries(connections: number): Summary[] {
    return OPERATIONS.flatMap((operation) =>
      this.#subjectsOf(operation, connections).flatMap(
        (subject) => this.summary(subject, operation, connections) ?? [],
      ),
    );
  }

  /** @returns null when the subject was not measured */
  summary(subject: string, operation: Operation, connections = CONNECTIONS): Summary | null {
    const own = this.#measurements(operation, connections).filter((measurement) => measurement.subject === subject);
    const perSecond = spreadOf(own.map((measurement) => measurement.perSecond));
    if (perSecond === null) return null;
    const medianOf = (read: (measurement: Measurement) => number): number => median(own.map(read));
    const ratioOf = (read: (measurement: Measurement) => number) => this.#toReference(own, read);
    return {
      operation,
      subject,
      perSecond,
      throughputRatio: ratioOf((measurement) => measurement.perSecond),
      processorRatio: ratioOf(({ serviceMicros }) => serviceMicros),
      latencyRatio: ratioOf(({ p50 }) => p50),
      serviceMicros: medianOf(({ serviceMicros }) => serviceMicros),
      postgresMicros: medianOf(({ postgresMicros }) => postgresMicros),
      loadMicros: medianOf(({ loadMicros }) => loadMicros),
      p50: medianOf(({ p50 }) => p50),
      p99: medianOf(({ p99 }) => p99),
    };
  }

  /** Throughput, as a multiple of the fastest other program in the same round. Null without one. */
  ratioToFastestPeer(subject: string, operation: Operation): Spread | null {
    const measurements = this.#measurements(operation, CONNECTIONS);
    const own = measurements.filter((measurement) => measurement.subject === subject);
    return spreadOf(
      own.flatMap(({ perSecond, round }) => {
        const peers = measurements.filter((other) => other.round === round && isPeer(other.subject));
        return peers.length === 0 ? [] : [perSecond / Math.max(...peers.map((peer) => peer.perSecond))];
      }),
    );
  }

  /** 99th percentile of `me` during a flood of logins, as a multiple of that of the idle subject. */
  floodRatio(subject: string): Spread | null {
    const floods = this.results.floods.filter((flood) => flood.subject === subject);
    return spreadOf(floods.map(({ floodP99, idleP99 }) => floodP99 / idleP99));
  }

  process(subject: string): ProcessFigures | null {
    return this.results.processes.find((figures) => figures.subject === subject) ?? null;
  }

  #measurements(operation: Operation, connections: number): Measurement[] {
    return this.results.measurements.filter(
      (measurement) => measurement.operation === operation && measurement.connections === connections,
    );
  }

  #subjectsOf(operation: Operation, connections: number): string[] {
    return [...new Set(this.#measurements(operation, connections).map(({ subject }) => subject))];
  }

  #toReference(own: readonly Measurement[], read: (measurement: Measurement) => number): Spread | null {
    return spreadOf(
      own.flatMap((measurement) => {
        const { operation, connections, round } = measurement;
        const reference = this.#measurements(operation, connections).find(
          (other) => other.subject === REFERENCE && other.round === round,
        );
        return reference === undefined ? [] : [read(measurement) / read(reference)];
      }),
    );
  }
}

/** Another program than the service and the reference. */
function isPeer(subject: string): boolean {
  return subject !== REFERENCE && !isOurs(subject);
}

export function isOurs(subject: string): boolean {
  return subject.startsWith('convene ');
}
