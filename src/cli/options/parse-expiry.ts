import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { DURATION_PATTERN, parseDurationMs } from '../../config/duration.js';

const DATE_OR_TIME = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/**
 * Parses an expiry.
 *
 * @param text a duration from `now` (`90d`), or a date or time of RFC 3339; a date means 00:00 UTC
 * @throws InvalidArgumentError when the text is neither
 */
export function parseExpiry(text: string, now: Date): Date {
  if (DURATION_PATTERN.test(text)) return new Date(now.getTime() + parseDurationMs(text));
  const time = DATE_OR_TIME.safeParse(text);
  if (!time.success)
    throw new InvalidArgumentError('Give a duration (90d, 12h), a date (2030-01-31) or a time (2030-01-31T18:00:00Z).');
  return new Date(time.data);
}
