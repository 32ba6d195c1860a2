import type { Measurement, Results } from '../../bench/comparison/report/results.js';

const MEASURED = { connections: 32, p50: 2, p99: 9, postgresMicros: 40, loadMicros: 25 } as const;

/** Two rounds of `me`, in which the service is faster than the reference and than another program. */
export function comparisonFixture(changes: Partial<Results> = {}): Results {
  return {
    measuredAt: '2026-11-28T20:00:00.000Z',
    node: 'v24.0.0',
    postgres: '18.4',
    processor: '2 × a processor',
    rounds: 2,
    seconds: 3.5,
    settings: { NODE_ENV: 'production', RATE_LIMITS: 'off' },
    descriptions: { reference: 'node:http and pg', 'convene REST': 'REST paths', 'a & b': 'another program' },
    processes: [{ subject: 'convene REST', startMs: [600, 900, 650], idleMiB: 90, afterLoadMiB: 170, peakMiB: 300 }],
    measurements: [
      me('reference', 1, 1_000, 80),
      me('convene REST', 1, 2_000, 40),
      me('a & b', 1, 500, 160),
      me('reference', 2, 800, 100),
      me('convene REST', 2, 2_400, 60),
      me('a & b', 2, 600, 150),
    ],
    floods: [{ subject: 'convene REST', round: 1, idleP99: 1, floodP99: 2 }],
    missing: [{ subject: 'a & b', operation: 'score', reason: 'It did not start' }],
    ...changes,
  };
}

export function me(subject: string, round: number, perSecond: number, serviceMicros: number): Measurement {
  return { ...MEASURED, operation: 'me', subject, round, perSecond, serviceMicros };
}
