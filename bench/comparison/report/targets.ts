import { READS, type Operation } from '../exchanges/exchange.js';
import { spreadOf, type Figures, type Spread, type Summary } from './figures.js';
import { GRAPHQL, REST, TWO_PROCESSES, type ProcessFigures } from './results.js';

/** A bound on one figure of the service. */
export interface Target {
  /** Key of its reason. */
  readonly id: string;
  readonly what: string;
  readonly bound: 'at most' | 'at least';
  /** Null: no such bound. */
  readonly must: number | null;
  readonly aim: number | null;
  readonly unit: string;
  readonly digits: number;
  /** @returns null when it was not measured */
  readonly measure: (figures: Figures) => Spread | null;
}

const OF_REFERENCE = ' × reference';
const RATIO = { unit: OF_REFERENCE, digits: 2 } as const;
const PEER_RATIO = { unit: ' × fastest peer', digits: 2 } as const;

interface Interface {
  readonly id: string;
  readonly subject: string;
  readonly processor: { readonly must: number; readonly aim: number };
}

const INTERFACES: readonly Interface[] = [
  { id: 'rest', subject: REST, processor: { must: 1.2, aim: 0.6 } },
  { id: 'graphql', subject: GRAPHQL, processor: { must: 1.3, aim: 0.7 } },
];

export const TARGETS: readonly Target[] = [
  ...INTERFACES.flatMap((of) => READS.flatMap((operation) => readTargets(of, operation))),
  ...INTERFACES.flatMap(statusTargets),
  twoProcessesTarget(),
  ...(['login', 'register'] as const).map(hashBoundTarget),
  {
    id: 'rest.login.flood',
    what: 'REST me during a flood of logins, 99th percentile',
    bound: 'at most',
    must: null,
    aim: 3,
    unit: ' × idle',
    digits: 1,
    measure: (figures) => figures.floodRatio(REST),
  },
  ...INTERFACES.flatMap((of) => [...READS, 'status' as const].map((operation) => peerTarget(of, operation))),
  peerTarget(INTERFACES[0]!, 'login'),
  ...processTargets(),
];

function summaryTarget(
  { id, subject }: Interface,
  operation: Operation,
  read: (summary: Summary) => Spread | null,
  target: Omit<Target, 'measure'>,
): Target {
  return {
    ...target,
    id: `${id}.${operation}.${target.id}`,
    what: `${subject.replace('convene ', '')} ${operation}, ${target.what}`,
    measure: (figures) => {
      const summary = figures.summary(subject, operation);
      return summary === null ? null : read(summary);
    },
  };
}

function readTargets(of: Interface, operation: Operation): Target[] {
  const latency: Target = {
    ...RATIO,
    id: `${of.id}.${operation}.latency`,
    what: `${of.subject.replace('convene ', '')} ${operation}, median latency at 1 connection`,
    bound: 'at most',
    must: null,
    aim: 1.2,
    measure: (figures) => figures.summary(of.subject, operation, 1)?.latencyRatio ?? null,
  };
  return [
    summaryTarget(of, operation, ({ processorRatio }) => processorRatio, {
      ...RATIO,
      ...of.processor,
      id: 'processor',
      what: 'processor time',
      bound: 'at most',
    }),
    throughputTarget(of, operation, { must: 1, aim: 2 }),
    latency,
  ];
}

function throughputTarget(of: Interface, operation: Operation, bounds: Pick<Target, 'must' | 'aim'>): Target {
  return summaryTarget(of, operation, ({ throughputRatio }) => throughputRatio, {
    ...RATIO,
    ...bounds,
    id: 'throughput',
    what: 'throughput',
    bound: 'at least',
  });
}

function statusTargets(of: Interface): Target[] {
  return [
    throughputTarget(of, 'status', { must: 1.2, aim: 2 }),
    summaryTarget(of, 'hot-group', ({ perSecond }) => perSecond, {
      id: 'rate',
      what: 'changes',
      bound: 'at least',
      must: 2_000,
      aim: 6_000,
      unit: '/s',
      digits: 0,
    }),
    summaryTarget(of, 'hot-group', ({ p99 }) => spreadOf([p99]), {
      id: 'p99',
      what: '99th percentile',
      bound: 'at most',
      must: null,
      aim: 25,
      unit: ' ms',
      digits: 1,
    }),
  ];
}

function twoProcessesTarget(): Target {
  const of = { id: 'two-processes', subject: TWO_PROCESSES, processor: { must: 0, aim: 0 } };
  return summaryTarget(of, 'hot-group', ({ perSecond }) => perSecond, {
    id: 'rate',
    what: 'changes',
    bound: 'at least',
    must: 1_000,
    aim: 4_000,
    unit: '/s',
    digits: 0,
  });
}

function hashBoundTarget(operation: 'login' | 'register'): Target {
  return throughputTarget(INTERFACES[0]!, operation, { must: 0.9, aim: 0.97 });
}

function peerTarget({ id, subject }: Interface, operation: Operation): Target {
  return {
    ...PEER_RATIO,
    id: `${id}.${operation}.peers`,
    what: `${subject.replace('convene ', '')} ${operation}, throughput beside other programs`,
    bound: 'at least',
    must: 1,
    aim: 2,
    measure: (figures) => figures.ratioToFastestPeer(subject, operation),
  };
}

function processTargets(): Target[] {
  const target = (
    id: string,
    what: string,
    bounds: Pick<Target, 'must' | 'aim' | 'unit'>,
    read: (process: ProcessFigures) => readonly number[],
  ): Target => ({
    ...bounds,
    id: `service.${id}`,
    what,
    bound: 'at most',
    digits: 0,
    measure: (figures) => {
      const process = figures.process(REST);
      return process === null ? null : spreadOf(read(process));
    },
  });
  return [
    target('idle', 'memory, idle', { must: 150, aim: 100, unit: ' MiB' }, ({ idleMiB }) => [idleMiB]),
    target('after-load', 'memory after the load', { must: 250, aim: 180, unit: ' MiB' }, ({ afterLoadMiB }) => [
      afterLoadMiB,
    ]),
    target('peak', 'memory, peak', { must: null, aim: 180, unit: ' MiB' }, ({ peakMiB }) => [peakMiB]),
    target('start', 'start to the first answer', { must: 2_000, aim: 700, unit: ' ms' }, ({ startMs }) => startMs),
  ];
}
