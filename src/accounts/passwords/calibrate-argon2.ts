import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { hash } from '@node-rs/argon2';
import { ARGON2_DEFAULTS } from './argon2-hasher.js';

/** What hashing one password costs. */
export interface Argon2Cost {
  readonly memoryKiB: number;
  readonly passes: number;
}

export interface CalibrationSample extends Argon2Cost {
  /** For one password, while no other is hashed. */
  readonly ms: number;
}

export interface CalibrationResult {
  /** Everything that was measured, in order. */
  readonly trials: readonly CalibrationSample[];
  /** The strongest that keeps to the time and the memory; the weakest allowed where nothing does. */
  readonly proposal: CalibrationSample;
  /** Memory of all the passwords that a process hashes at once, with the proposal. */
  readonly memoryAtOnceKiB: number;
}

export interface CalibrationOptions {
  /** How long hashing one password may take. */
  readonly targetMs?: number;
  /** How much memory all hashes together may take. */
  readonly memoryKiB?: number;
  /** Gives the milliseconds that hashing one password takes. */
  readonly measure?: (cost: Argon2Cost) => Promise<number>;
}

/** A login is then still quick, and guessing a stolen hash is as slow as that allows. */
const TARGET_MS = 100;
/** The rest is for the service, its database and its neighbours. */
const SHARE_OF_MEMORY = 1 / 8;
const KIB = 1_024;
const MEMORY_STEPS_KIB = [19, 32, 46, 64, 96, 128, 192, 256, 384, 512, 768, 1_024].map((mebibytes) => mebibytes * KIB);
const MOST_PASSES = 10;
const ROUNDS = 5;

/**
 * Measures how long this machine hashes with argon2id and proposes parameters: as much memory as time and memory allow,
 * which is what makes guessing dear (RFC 9106, section 4), then as many passes as there is time left for.
 *
 * Takes a few seconds, in which it keeps one core busy; measured on a machine with other work, it proposes less.
 */
export async function calibrateArgon2(options: CalibrationOptions = {}): Promise<CalibrationResult> {
  const { targetMs = TARGET_MS, memoryKiB = defaultMemoryKiB(), measure = timeToHash } = options;
  const trials: CalibrationSample[] = [];
  const attempt = async (cost: Argon2Cost): Promise<CalibrationSample> => {
    const trial = { ...cost, ms: await measure(cost) };
    trials.push(trial);
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
  for (let more = passes + 1; more <= MOST_PASSES && (proposal.ms * more) / proposal.passes <= targetMs; more += 1) {
    const trial = await attempt({ memoryKiB: proposal.memoryKiB, passes: more });
    if (trial.ms > targetMs) break;
    proposal = trial;
  }
  return { trials, proposal, memoryAtOnceKiB: proposal.memoryKiB * ARGON2_DEFAULTS.concurrency };
}

/** In a container, of what it is given. */
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
