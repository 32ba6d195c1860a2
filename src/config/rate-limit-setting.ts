import { z } from 'zod';
import { parseDurationMs } from './duration.js';

/** So much within so long. */
export interface RateLimitSetting {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** A day is the longest window: what is counted is kept for as long. */
const LIMIT = /^([1-9]\d{0,5})\/(\d{1,5}[smh])$/;
const LONGEST_WINDOW_SECONDS = 86_400;

/** @param byDefault as in `10/15m` */
export function rateLimitSetting(byDefault: string): z.ZodType<RateLimitSetting, string | undefined> {
  const message = 'must be a number and a time up to 24h, as in 10/15m';
  return z
    .string()
    .regex(LIMIT, message)
    .optional()
    .transform((text) => toLimit(text ?? byDefault))
    .refine(({ windowSeconds }) => windowSeconds >= 1 && windowSeconds <= LONGEST_WINDOW_SECONDS, message);
}

function toLimit(text: string): RateLimitSetting {
  const [, quota, window] = LIMIT.exec(text) ?? [];
  if (quota === undefined || window === undefined) throw new RangeError(`not a limit: ${text}`);
  return { quota: Number(quota), windowSeconds: parseDurationMs(window) / 1_000 };
}
