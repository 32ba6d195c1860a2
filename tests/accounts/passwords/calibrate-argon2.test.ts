import { describe, expect, it } from '@jest/globals';
import { calibrateArgon2 } from '../../../src/accounts/index.js';
import { ARGON2_DEFAULTS } from '../../../src/accounts/passwords/argon2-hasher.js';
import type { Argon2Cost } from '../../../src/accounts/passwords/calibrate-argon2.js';

const MIB = 1_024;
const PLENTY_KIB = 64 * 1_024 * MIB;

/** A machine that takes so many milliseconds for each mebibyte and pass. */
function machine(msPerMebibyte: number): (cost: Argon2Cost) => Promise<number> {
  return ({ memoryKiB, passes }) => Promise.resolve((memoryKiB / MIB) * passes * msPerMebibyte);
}

describe('calibrateArgon2', () => {
  it.each([
    ['a usual machine', 0.5, { memoryKiB: 96 * MIB, passes: 2 }],
    ['a fast machine', 0.1, { memoryKiB: 384 * MIB, passes: 2 }],
    ['a slow machine', 2, { memoryKiB: 19 * MIB, passes: 2 }],
    ['a machine that is too slow for anything', 50, { memoryKiB: 19 * MIB, passes: 2 }],
  ])('proposes parameters for %s', async (_, speed, proposal) => {
    const calibration = await calibrateArgon2({ targetMs: 100, memoryKiB: PLENTY_KIB, measure: machine(speed) });
    expect(calibration.proposal).toMatchObject(proposal);
    expect(calibration.samples).toContainEqual(calibration.proposal);
    expect(calibration.totalMemoryKiB).toBe(proposal.memoryKiB * ARGON2_DEFAULTS.concurrency);
  });

  it('raises the passes when memory is scarce', async () => {
    const { proposal } = await calibrateArgon2({
      targetMs: 100,
      memoryKiB: 33 * MIB * ARGON2_DEFAULTS.concurrency,
      measure: machine(0.5),
    });
    expect(proposal).toEqual({ memoryKiB: 32 * MIB, passes: 6, ms: 96 });
  });

  it('proposes at least the minimum and stops after 10 passes', async () => {
    const { proposal, samples } = await calibrateArgon2({ memoryKiB: 1, measure: machine(0.000_1) });
    expect(proposal).toMatchObject({ memoryKiB: ARGON2_DEFAULTS.memoryKiB, passes: 10 });
    expect(samples).toHaveLength(9);
  });

  it('measures on this machine by default', async () => {
    const { samples } = await calibrateArgon2({ targetMs: 0 });
    expect(samples).toEqual([
      { memoryKiB: ARGON2_DEFAULTS.memoryKiB, passes: ARGON2_DEFAULTS.passes, ms: expect.any(Number) },
    ]);
    expect(samples[0]?.ms).toBeGreaterThan(1);
  });
});
