import { z } from 'zod';
import { findUrlProblem } from '../database/address/parse-database-url.js';

/** A URL as libpq understands it; null when unset. */
export function databaseUrl(): z.ZodType<string | null, string | undefined> {
  return z
    .string()
    .superRefine((text, context) => {
      const problem = findUrlProblem(text);
      if (problem !== null) context.addIssue(problem);
    })
    .optional()
    .transform((value) => value ?? null);
}
