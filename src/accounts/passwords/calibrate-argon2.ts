import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { hash } from '@node-rs/argon2';
import { ARGON2_DEFAULTS } from './argon2-hasher.js';

/** Parameters that determine the cost of one hash. */
export interface Argon2Cost {
  readonly memoryKiB: number;
  readonly passes: number;
}

export interface CalibrationSample extends Argon2Cost {
  /** Time of one hash, with no other computed concurrently. */
  readonly ms: number;
}

export interface CalibrationResult {
  /** All measurements, in order. */
  readonly samples: readonly CalibrationSample[];
  /** The strongest parameters within the time and memory; the weakest allowed ones when none are. */
  readonly proposal: CalibrationSample;
  /** Memory of all concurrent hashes of a process, with the proposal. */
  readonly totalMemoryKiB: number;
}

export interface CalibrationOptions {
  /** Maximum time of one hash; default 100 ms. */
  readonly targetMs?: number;
  /** Maximum memory of all concurrent hashes; default one eighth of the memory available. */
  readonly memoryKiB?: number;
  /** Measures one hash; returns milliseconds. */
  readonly measure?: (cost: Argon2Cost) => Promise<number>;
}

/** Short enough for a login. The longer a hash takes, the more expensive is a brute-force attack on a stolen one. */
const TARGET_MS = 100;
/** The rest is for the service, its database and other processes. */
const SHARE_OF_MEMORY = 1 / 8;
const KIB = 1_024;
const MEMORY_STEPS_KIB = [19, 32, 46, 64, 96, 128, 192, 256, 384, 512, 768, 1_024].map((mebibytes) => mebibytes * KIB);
const MAX_PASSES = 10;
const ROUNDS = 5;

/**
 * Measures argon2id on this machine and recommends parameters: as much memory as time and memory allow, because memory
 * makes guessing expensive (RFC 9106, section 4), then as many passes as the remaining time allows.
 *
 * Takes a few seconds and keeps one core busy. On a machine under load it recommends less.
 */
export async function calibrateArgon2(options: CalibrationOptions = {}): Promise<CalibrationResult> {
  const { targetMs = TARGET_MS, memoryKiB = defaultMemoryKiB(), measure = timeToHash } = options;
  const samples: CalibrationSample[] = [];
  const attempt = async (cost: Argon2Cost): Promise<CalibrationSample> => {
    const trial = { ...cost, ms: await measure(cost) };
    samples.push(trial);
    return trial;
  };
  const { passes } = ARGON2_DEFAULTS;
  let proposal = await attempt({ memoryKiB: ARGON2_DEFAULTS.memoryKiB, passes });
  for (const step of MEMORY_STEPS_KIB.filter(
    (each) => each > proposal.memoryKiB && each * ARGON2_DEFAULTS.concurrency <= memoryKiB,
  )) {
    if (proposal.ms > targetMs) break;
    const trial = await attempt({ memoryKiB: step, passes });
    if (trial.ms > targetMs) break;
    proposal = trial;
  }
  for (let more = passes + 1; more <= MAX_PASSES && (proposal.ms * more) / proposal.passes <= targetMs; more += 1) {
    const trial = await attempt({ memoryKiB: proposal.memoryKiB, passes: more });
    if (trial.ms > targetMs) break;
    proposal = trial;
  }
  return { samples, proposal, totalMemoryKiB: proposal.memoryKiB * ARGON2_DEFAULTS.concurrency };
}

/** In a container, a share of its memory limit. */
function defaultMemoryKiB(): number {
  const constrained = process.constrainedMemory();
  return (Math.min(totalmem(), constrained > 0 ? constrained : Infinity) * SHARE_OF_MEMORY) / KIB;
}

async function timeToHash({ memoryKiB, passes }: Argon2Cost): Promise<number> {
  const password = randomBytes(12).toString('base64');
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await hash(password, { memoryCost: memoryKiB, timeCost: passes, parallelism: ARGON2_DEFAULTS.parallelism });
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Infinity;
}
