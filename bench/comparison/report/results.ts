import type { Operation } from '../exchanges/exchange.js';

/** One subject and operation in one round. */
export interface Measurement {
  readonly operation: Operation;
  readonly subject: string;
  readonly connections: number;
  readonly round: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time for each request: of the subject, of PostgreSQL and of the load generator. */
  readonly serviceMicros: number;
  readonly postgresMicros: number;
  readonly loadMicros: number;
}

/** 99th percentiles of `me` over one connection, in milliseconds. */
export interface FloodMeasurement {
  readonly subject: string;
  readonly round: number;
  readonly idleP99: number;
  /** While other connections log in. */
  readonly floodP99: number;
}

export interface ProcessFigures {
  readonly subject: string;
  /** Milliseconds from each start to the first answer. */
  readonly startMs: readonly number[];
  /** After the first answer and 2 s. */
  readonly idleMiB: number;
  /** 2 s after the last request. */
  readonly afterLoadMiB: number;
  readonly peakMiB: number;
}

/** A subject that could not run, or one of its operations. */
export interface MissingSubject {
  readonly subject: string;
  /** Null: all operations. */
  readonly operation: Operation | null;
  readonly reason: string;
}

export interface Results {
  readonly measuredAt: string;
  readonly node: string;
  readonly postgres: string;
  readonly processor: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Settings of the service, without secrets. */
  readonly settings: Readonly<Record<string, string>>;
  readonly descriptions: Readonly<Record<string, string>>;
  readonly processes: readonly ProcessFigures[];
  readonly measurements: readonly Measurement[];
  readonly floods: readonly FloodMeasurement[];
  readonly missing: readonly MissingSubject[];
}

export const CONNECTIONS = 32;
export const REFERENCE = 'reference';
export const REST = 'convene REST';
export const GRAPHQL = 'convene GraphQL';
export const TWO_PROCESSES = 'convene REST (2 processes)';
