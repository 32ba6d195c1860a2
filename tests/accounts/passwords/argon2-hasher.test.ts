import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { hash as argon2, parseOptions } from '@node-rs/argon2';
import {
  concurrentHashes,
  createArgon2Hasher,
  type Argon2Options,
} from '../../../src/accounts/passwords/argon2-hasher.js';
import type { PasswordHasher } from '../../../src/accounts/ports/password-hasher.js';
import { UnavailableError } from '../../../src/errors/index.js';

/** As weak as argon2 goes, for what is not about strength. */
const CHEAP = { memoryKiB: 8, passes: 1 } satisfies Partial<Argon2Options>;

/** Slow enough that the order of events does not depend on luck. */
const SLOW = { memoryKiB: 65_536, passes: 4 } satisfies Partial<Argon2Options>;

async function medianMs(work: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}

describe('createArgon2Hasher', () => {
  let hasher: PasswordHasher;

  beforeAll(async () => {
    hasher = await createArgon2Hasher(CHEAP);
  });

  it('verifies its own hashes, each with its own salt', async () => {
    const [one, other] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
    expect(one).not.toBe(other);
    await expect(hasher.verify(one, 'correct horse')).resolves.toBe(true);
    await expect(hasher.verify(other, 'correct horse')).resolves.toBe(true);
    await expect(hasher.verify(one, 'Correct horse')).resolves.toBe(false);
  });

  it('does not truncate: passwords that differ in character 128 or after NUL are different', async () => {
    const long = '🦊'.repeat(127);
    await expect(hasher.verify(await hasher.hash(`${long}X`), `${long}Y`)).resolves.toBe(false);
    await expect(hasher.verify(await hasher.hash('abc\0X'), 'abc\0Y')).resolves.toBe(false);
  });

  it('verifies no password for an unknown user', async () => {
    await expect(hasher.verify(null, '')).resolves.toBe(false);
    await expect(hasher.verify(null, 'correct horse')).resolves.toBe(false);
  });

  it('uses argon2id with 19 MiB, 2 passes and 1 lane by default, stated in the hash', async () => {
    const standard = await createArgon2Hasher();
    await expect(standard.hash('correct horse')).resolves.toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('takes as long for an unknown user as for a wrong password', async () => {
    const standard = await createArgon2Hasher();
    const stored = await standard.hash('correct horse');
    const known = await medianMs(() => standard.verify(stored, 'wrong'), 15);
    const unknown = await medianMs(() => standard.verify(null, 'wrong'), 15);
    // Without the dummy hash the ratio is in the hundreds; a loaded machine stays far below 3.
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(3);
  });

  describe('with an unreadable hash', () => {
    const salt = 'iMv3FlUDTb01euEgtMmxpA';
    const output = 'A'.repeat(43);
    const unreadable = [
      ['a word', 'none'],
      ['empty', ''],
      ['one character', '\0'],
      ['of bcrypt', '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW'],
      ['of scrypt', '$scrypt$ln=15,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E'],
      ['cut off', `$argon2id$v=19$m=19456,t=2,p=1$${salt}`],
      ['without an output', '$argon2id$v=19$m=19456,t=2,p=1$$'],
      ['of another version', `$argon2id$v=99$m=19456,t=2,p=1$${salt}$${output}`],
      ['with too little memory', `$argon2id$v=19$m=1,t=2,p=1$${salt}$${output}`],
      ['with no passes', `$argon2id$v=19$m=19456,t=0,p=1$${salt}$${output}`],
      ['with more memory than any machine has', `$argon2id$v=19$m=4294967295,t=2,p=1$${salt}$${output}`],
      ['with more passes than ever end', `$argon2id$v=19$m=19456,t=4294967295,p=1$${salt}$${output}`],
      ['with more lanes than any machine has', `$argon2id$v=19$m=4194304,t=2,p=16777215$${salt}$${output}`],
    ] as const;

    it.each(unreadable)('verifies no password when the hash is %s', async (_, stored) => {
      for (const password of ['', 'none', stored, 'correct horse'])
        await expect(hasher.verify(stored, password)).resolves.toBe(false);
      expect(hasher.needsRehash(stored)).toBe(true);
    });

    it('takes as long as for a wrong password', async () => {
      const standard = await createArgon2Hasher();
      const hashes = [await standard.hash('correct horse'), 'none', `$argon2id$v=19$m=1,t=2,p=1$${salt}$${output}`];
      const totalMs = hashes.map(() => 0);
      // In turns, so that the load of the machine falls on all of them alike.
      for (let round = 0; round < 15; round += 1) {
        for (const [index, stored] of hashes.entries())
          totalMs[index]! += await medianMs(() => standard.verify(stored, 'wrong'), 1);
      }
      expect(Math.max(...totalMs) / Math.min(...totalMs)).toBeLessThan(3);
    });
  });

  it('reports hashes with weaker parameters', async () => {
    const stronger = await createArgon2Hasher({ memoryKiB: 16, passes: 2 });
    expect(stronger.needsRehash(await stronger.hash('x'))).toBe(false);
    expect(stronger.needsRehash(await hasher.hash('x'))).toBe(true);
    expect(hasher.needsRehash(await stronger.hash('x'))).toBe(false);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- an enum of types only
    const argon2i = await argon2('x', { memoryCost: 1_024, timeCost: 3, algorithm: 1 });
    expect(parseOptions(argon2i).algorithm).toBe(1);
    expect(hasher.needsRehash(argon2i)).toBe(true);
  });
});

describe('hasher under load', () => {
  it('rejects calls beyond the running and queued ones immediately', async () => {
    const hasher = await createArgon2Hasher({ ...SLOW, concurrency: 2, maxQueueLength: 3 });
    const settled: string[] = [];
    const flood = Array.from({ length: 8 }, (_, index) =>
      hasher.hash('correct horse').then(
        () => settled.push(`${index} hashed`),
        (error: unknown) =>
          settled.push(`${index} ${error instanceof UnavailableError ? error.reason : String(error)}`),
      ),
    );
    await Promise.all(flood);
    expect(settled.slice(0, 3)).toEqual(['5 OVERLOADED', '6 OVERLOADED', '7 OVERLOADED']);
    expect(settled.slice(3).sort()).toEqual(['0 hashed', '1 hashed', '2 hashed', '3 hashed', '4 hashed']);
  });

  it('states when to retry', async () => {
    const hasher = await createArgon2Hasher({ ...CHEAP, concurrency: 1, maxQueueLength: 0 });
    const first = hasher.hash('correct horse');
    await expect(hasher.verify(null, 'correct horse')).rejects.toMatchObject({
      reason: 'OVERLOADED',
      retryAfterSeconds: 2,
    });
    await first;
    await expect(hasher.hash('correct horse')).resolves.toContain('$argon2id$');
  });

  it('frees the slot when hashing fails', async () => {
    const hasher = await createArgon2Hasher({ ...CHEAP, concurrency: 1, maxQueueLength: 0 });
    await expect(hasher.hash(undefined as never)).rejects.toThrow();
    await expect(hasher.verify(null, 'correct horse')).resolves.toBe(false);
  });

  it('does not block the event loop', async () => {
    const hasher = await createArgon2Hasher({ ...SLOW, concurrency: 2 });
    let turns = 0;
    let done = false;
    const hashed = hasher.hash('correct horse').finally(() => {
      done = true;
    });
    await new Promise<void>((resolve) => {
      const turn = (): void => {
        turns += 1;
        if (done) resolve();
        else setImmediate(turn);
      };
      setImmediate(turn);
    });
    await hashed;
    expect(turns).toBeGreaterThan(10);
  });
});

describe('concurrentHashes', () => {
  it('shares one hash per processor core among the processes, at least one for each', () => {
    const all = availableParallelism();
    const hashes = [1, 2, all, 10 * all].map((processes) => concurrentHashes(processes, all + 1));
    expect(hashes).toEqual([all, Math.ceil(all / 2), 1, 1]);
  });

  it('adds one that waits in the thread pool, when hashes take all of its threads', () => {
    const all = availableParallelism();
    expect([all, 1].map((threads) => concurrentHashes(1, threads))).toEqual([all + 1, 2]);
  });
});
