import { DAY_MS, MINUTE_MS } from '../../async/durations.js';

/** How often each process reloads the keys. */
export const KEY_RELOAD_INTERVAL_MS = 10_000;

/** A new key is published before it signs, so that every process and every consumer of the JWKS has it by then. */
export const KEY_ACTIVATION_DELAY_MS = MINUTE_MS;

/** Age at which the newest key is replaced. */
export const KEY_ROTATION_INTERVAL_MS = 90 * DAY_MS;

/** A process that has not loaded the retirement yet may sign with the old key a little longer. */
const RETIREMENT_SLACK_MS = KEY_RELOAD_INTERVAL_MS + 30_000;

export interface KeyLifetime {
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/** Whether tokens of the key can still be valid. */
export function canStillVerify({ retiredAt }: KeyLifetime, now: Date, tokenTtlMs: number): boolean {
  return retiredAt === null || now.getTime() < retiredAt.getTime() + RETIREMENT_SLACK_MS + tokenTtlMs;
}

export function isRotationDue(keys: readonly Pick<KeyLifetime, 'createdAt'>[], now: Date): boolean {
  return keys.every(({ createdAt }) => createdAt.getTime() + KEY_ROTATION_INTERVAL_MS <= now.getTime());
}

/**
 * Chooses the newest key that all processes have loaded, or the oldest when none is published that long (the first key,
 * or a clock that was set back).
 *
 * @param keys oldest first
 */
export function chooseSigningKey<Key extends KeyLifetime>(keys: readonly Key[], now: Date): Key | undefined {
  const inUse = keys.filter(({ retiredAt }) => retiredAt === null || retiredAt > now);
  return inUse.findLast(({ createdAt }) => createdAt.getTime() + KEY_ACTIVATION_DELAY_MS <= now.getTime()) ?? inUse[0];
}
