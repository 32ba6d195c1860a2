import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { DURATION_PATTERN, parseDurationMs } from '../config/duration.js';

const MOMENT = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/**
 * Reads until when something is to last: so long from now (`90d`), or until a moment (RFC 3339; a date is its first
 * moment in UTC).
 *
 * @throws InvalidArgumentError for anything else
 */
export function parseExpiry(text: string, now: Date): Date {
  if (DURATION_PATTERN.test(text)) return new Date(now.getTime() + parseDurationMs(text));
  const moment = MOMENT.safeParse(text);
  if (!moment.success)
    throw new InvalidArgumentError('Give a duration (90d, 12h), a date (2030-01-31) or a time (2030-01-31T18:00:00Z).');
  return new Date(moment.data);
}
