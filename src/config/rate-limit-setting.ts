import { z } from 'zod';
import { DAY_SECONDS } from '../async/durations.js';
import { parseDurationMs } from './duration.js';

/** A quota within a fixed window. */
export interface RateLimitSetting {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The window is bounded, since counters are stored for its length. */
const LIMIT_PATTERN = /^([1-9]\d{0,5})\/(\d{1,5}[smh])$/;
const MAX_WINDOW_SECONDS = DAY_SECONDS;

/** @param defaultValue a limit such as `10/15m` */
export function rateLimitSetting(defaultValue: string): z.ZodType<RateLimitSetting, string | undefined> {
  const message = 'must be a number and a time up to 24h, as in 10/15m';
  return z
    .string()
    .regex(LIMIT_PATTERN, message)
    .optional()
    .transform((text) => toLimit(text ?? defaultValue))
    .refine(({ windowSeconds }) => windowSeconds >= 1 && windowSeconds <= MAX_WINDOW_SECONDS, message);
}

function toLimit(text: string): RateLimitSetting {
  const [, quota, window] = LIMIT_PATTERN.exec(text) ?? [];
  if (quota === undefined || window === undefined) throw new RangeError(`Invalid limit ${text}`);
  return { quota: Number(quota), windowSeconds: parseDurationMs(window) / 1_000 };
}
